/**
 * Components that most visits never show (errors, empty lists), in separate chunks. React.lazy
 * would suffice in the browser, but renderToString cannot wait: here the server loads them all
 * beforehand, and a loaded component renders synchronously.
 */
import { CHUNK_TIMEOUT_MS } from '@shinobi/contract/limits'
import { offerReload } from './load-chunk.ts'
import { nextTask } from './next-task.ts'
import { Suspense, use, type ComponentType, type ReactNode } from 'react'

type Loading<P> = Promise<ComponentType<P>> & { status?: 'fulfilled'; value?: ComponentType<P> }

const registered: { readonly module: string | undefined; readonly preload: () => Promise<unknown> }[] = []

/**
 * Loads the deferred components registered so far: on the server all of them, before it renders; in
 * the browser those that the rendered page contains, before hydration. React would replace one
 * that is not loaded when something around it changes, and a press on it would be lost.
 */
export const preloadDeferred = (modules?: readonly string[]): Promise<unknown> =>
  Promise.all(
    registered
      .filter(({ module }) => modules === undefined || (module !== undefined && modules.includes(module)))
      .map(({ preload }) => preload()),
  )

const RETRY_MS = 3_000
/**
 * Maximum delay, so that open pages do not overload a server that is down or has a newer version.
 */
const RETRY_MAX_MS = 60_000

/**
 * Loads a chunk. The browser retries until it succeeds: nothing can be shown instead, and the
 * network may be down.
 */
async function insist<T>(load: () => Promise<T>): Promise<T> {
  if (!import.meta.env.SSR) await nextTask()
  for (let ms = RETRY_MS; ; ms = Math.min(2 * ms, RETRY_MAX_MS)) {
    // A failed request is repeated. A hanging one cannot be: the page then offers a reload.
    const late = import.meta.env.SSR ? undefined : setTimeout(() => window.loseScript?.(), CHUNK_TIMEOUT_MS)
    try {
      return await load().finally(() => clearTimeout(late))
    } catch (error) {
      if (import.meta.env.SSR) throw error
      void offerReload(load)
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
}

const drawn = new Set<string>()

/**
 * Renders on the server, and returns the deferred modules that the page contains, whose styles it
 * needs. Rendering is synchronous, so pages do not mix.
 */
export function noteDrawn<T>(draw: () => T): { readonly page: T; readonly modules: readonly string[] } {
  drawn.clear()
  return { page: draw(), modules: [...drawn] }
}

export interface Deferred<P> {
  (props: P): ReactNode
  preload: () => Promise<unknown>
}

/**
 * @param module source of the chunk, as named in the build's manifest, for what the server may
 * render: pages that contain it get its styles
 */
export function deferred<P extends object>(load: () => Promise<ComponentType<P>>, module?: string): Deferred<P> {
  let loading: Loading<P> | undefined
  const preload = (): Loading<P> => {
    if (loading !== undefined) return loading
    const started: Loading<P> = insist(load)
    loading = started
    // `use` reads these fields to return without suspending.
    void started.then((value) => Object.assign(started, { status: 'fulfilled', value }))
    return started
  }
  registered.push({ module, preload })
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
