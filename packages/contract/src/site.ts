/** What the operator configured and every page may show; part of the rendered page, the same for everybody. */
export interface SiteInfo {
  /** Address of the board without a trailing slash, for canonical links and Open Graph. */
  readonly publicUrl: string
  /** Mail address on the terms page, or null when none is configured. */
  readonly contactEmail: string | null
  /** The version that runs, such as 0.2.0; null in a page that came without its data. */
  readonly version: string | null
  /** Where the operator keeps the source code; null when nowhere but at SOURCE_ARCHIVE. */
  readonly sourceUrl: string | null
  /** Client id of the Google sign-in, or null when it is not set up. */
  readonly googleClientId: string | null
  /** Whether the board can send mail, so that a forgotten password can be reset by its owner. */
  readonly sendsMail: boolean
  /** The hosting provider's badge in the footer, or null for none. */
  readonly hostingBadge: { readonly label: string; readonly url: string } | null
}

/** Where a board offers the source that it runs, unless it names another place (AGPL §13). */
export const SOURCE_ARCHIVE = '/source.tar.gz'
