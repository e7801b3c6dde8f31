/**
 * Components that most visits never see (errors, empty lists), in chunks of their own. React.lazy would do in the browser, but
 * renderToString cannot wait: here the server loads them all beforehand, and a loaded one renders at once.
 */
import { Suspense, use, type ComponentType, type ReactNode } from 'react'

type Loading<P> = Promise<ComponentType<P>> & { status?: 'fulfilled'; value?: ComponentType<P> }

const preloads: (() => Promise<unknown>)[] = []

/** Loads every deferred component that is known so far: on the server, before a page is drawn. */
export const preloadDeferred = (): Promise<unknown> => Promise.all(preloads.map((preload) => preload()))

export interface Deferred<P> {
  (props: P): ReactNode
  preload: () => Promise<unknown>
}

export function deferred<P extends object>(load: () => Promise<ComponentType<P>>): Deferred<P> {
  let loading: Loading<P> | undefined
  const preload = (): Loading<P> => {
    if (loading !== undefined) return loading
    const started: Loading<P> = load()
    loading = started
    started.then(
      // What `use` reads to return without waiting.
      (value) => Object.assign(started, { status: 'fulfilled', value }),
      () => {
        loading = undefined
      },
    )
    return started
  }
  if (import.meta.env.SSR) preloads.push(preload)
  const Inner = (props: P) => {
    const Component = use(preload() as PromiseLike<ComponentType<P>>)
    return <Component {...props} />
  }
  const Outer = (props: P) => (
    <Suspense fallback={null}>
      <Inner {...props} />
    </Suspense>
  )
  return Object.assign(Outer, { preload })
}
