/**
 * Input and output of the web app's renderer (apps/web/src/entry-server.tsx), which the server
 * calls.
 */
import type { SiteInfo } from './site.ts'

export interface RenderInput {
  /** Path and query. */
  readonly url: string
  readonly site: SiteInfo
  /**
   * Whether the browser claims to hold a session (the `session` cookie). Only pages behind a log-in
   * guard read it, and these are never cached. On every other page it is null, because such a page
   * is the same for everybody.
   */
  readonly session: boolean | null
  /** Answers a GET of the API in-process. */
  readonly api: (path: string) => Promise<{ status: number; body: unknown; link: string | null }>
  /** Calls what blocks the event loop when it is this page's turn, after all answers of `api`. */
  readonly inTurn: <T>(work: () => T) => Promise<T>
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
  /**
   * Source modules of the page and of the deferred parts that it shows. The server looks them up in
   * the build's manifests for `<!--styles-->` and `<!--preload-->`.
   */
  readonly preload: readonly string[]
}
