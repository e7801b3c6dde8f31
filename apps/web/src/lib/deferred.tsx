/**
 * Components that most visits never see (errors, empty lists), in chunks of their own. React.lazy would do in the browser, but
 * renderToString cannot wait: here the server loads them all beforehand, and a loaded one renders at once.
 */
import { CHUNK_TIMEOUT_MS } from '@shinobi/contract/limits'
import { Suspense, use, type ComponentType, type ReactNode } from 'react'

type Loading<P> = Promise<ComponentType<P>> & { status?: 'fulfilled'; value?: ComponentType<P> }

const preloads: (() => Promise<unknown>)[] = []

/** Loads every deferred component that is known so far: on the server, before a page is drawn. */
export const preloadDeferred = (): Promise<unknown> => Promise.all(preloads.map((preload) => preload()))

const RETRY_MS = 3_000
/** A server that is away, or has a newer version, is not asked by every open page every few seconds. */
const RETRY_MAX_MS = 60_000

/** In the browser until the chunk comes: nothing else can stand in its place, and the line may be away. */
async function insist<T>(load: () => Promise<T>): Promise<T> {
  for (let ms = RETRY_MS; ; ms = Math.min(2 * ms, RETRY_MAX_MS)) {
    // A request that fails is made again, one that hangs cannot be: the page says so, and can be loaded anew.
    const late = import.meta.env.SSR ? undefined : setTimeout(() => window.loseScript?.(), CHUNK_TIMEOUT_MS)
    try {
      return await load().finally(() => clearTimeout(late))
    } catch (error) {
      if (import.meta.env.SSR) throw error
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
}

const drawn = new Set<string>()

/** On the server: draws, and tells which deferred modules are in the page, whose styles it needs. Drawing never waits, so pages do not mix. */
export function noteDrawn<T>(draw: () => T): { readonly page: T; readonly modules: readonly string[] } {
  drawn.clear()
  return { page: draw(), modules: [...drawn] }
}

export interface Deferred<P> {
  (props: P): ReactNode
  preload: () => Promise<unknown>
}

/** @param module source of the chunk, as the build's manifest names it: the server adds its styles to a page that shows it */
export function deferred<P extends object>(load: () => Promise<ComponentType<P>>, module?: string): Deferred<P> {
  let loading: Loading<P> | undefined
  const preload = (): Loading<P> => {
    if (loading !== undefined) return loading
    const started: Loading<P> = insist(load)
    loading = started
    // What `use` reads to return without waiting.
    void started.then((value) => Object.assign(started, { status: 'fulfilled', value }))
    return started
  }
  if (import.meta.env.SSR) preloads.push(preload)
  const Inner = (props: P) => {
    if (import.meta.env.SSR && module !== undefined) drawn.add(module)
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
