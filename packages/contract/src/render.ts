/** What the server asks of the web app's renderer (apps/web/src/entry-server.tsx), and what it gets. */
import type { SiteInfo } from './site.ts'

export interface RenderInput {
  /** Path and query. */
  readonly url: string
  readonly site: SiteInfo
  /**
   * Whether the browser says it holds a session (the `session` cookie). Only asked for by the pages behind a login guard, which are
   * never cached; on every other page it is null, because these are the same for everybody.
   */
  readonly session: boolean | null
  /** Answers a GET of the API in-process. */
  readonly api: (path: string) => Promise<{ status: number; body: unknown; link: string | null }>
  readonly now: Date
}

export interface RenderOutput {
  readonly status: number
  /** For `<!--head-->`. */
  readonly head: string
  /** For `<!--app-->`. */
  readonly app: string
  /** For `<!--state-->`: JSON, escaped for a script element. */
  readonly state: string
  /** Address to send the visitor to instead of a page. */
  readonly redirect?: string
  /** Source modules of the page, deferred ones that it shows too, to be looked up in the build's manifests for `<!--styles-->` and `<!--preload-->`. */
  readonly preload: readonly string[]
}
