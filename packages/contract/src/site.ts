/**
 * Configured by the operator and available to every page. It is part of the rendered page and the
 * same for everybody.
 */
export interface SiteInfo {
  /** Address of the board without a trailing slash, for canonical links and Open Graph. */
  readonly publicUrl: string
  /** Mail address on the terms page, or null when none is configured. */
  readonly contactEmail: string | null
  /** The running version, such as 0.2.0; null in a page that was rendered without it. */
  readonly version: string | null
  /** Where the operator publishes the source code; null when only at SOURCE_ARCHIVE. */
  readonly sourceUrl: string | null
  /** Client id of the Google sign-in, or null when it is not set up. */
  readonly googleClientId: string | null
  /** Whether the board can send mail, so that members can reset a forgotten password. */
  readonly sendsMail: boolean
  /** The hosting provider's badge in the footer, or null for none. */
  readonly hostingBadge: { readonly label: string; readonly url: string } | null
}

/**
 * Where a board offers the source of the running version, unless the operator names another place
 * (AGPL §13).
 */
export const SOURCE_ARCHIVE = '/source.tar.gz'

/**
 * The page without content. A service worker answers with it where there is no network, and the
 * script fills it from what the browser keeps (docs/decisions/0052).
 */
export const OFFLINE_PAGE = '/offline.html'
