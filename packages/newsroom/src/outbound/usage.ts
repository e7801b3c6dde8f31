/**
 * Preferences on use by machines: Content-Usage (IETF AIPREF, a draft), and licences in the format
 * of RSL (Really Simple Licensing).
 */

/** Its refusal concerns search engines alone. */
const NOT_OURS = new Set(['search'])

/**
 * Whether a Content-Usage refuses a use like ours: `train-ai=n, search=y`. A model reads the
 * article here, so any refusal but that of search counts: the names are not settled, and the
 * stricter reading costs one thread.
 */
export const refusesUsage = (value: string): boolean =>
  value
    .toLowerCase()
    .split(/[,;\s]+/u)
    .some((part) => {
      const [key = '', answer] = part.split('=', 2)
      return answer === 'n' && !NOT_OURS.has(key)
    })

/**
 * Whether a Link header names terms in the format of RSL. They are not read: a publisher who sets
 * terms is asked, not summarised.
 */
export const namesLicence = (links: readonly string[]): boolean =>
  links.some((link) =>
    link
      .split(/,(?=\s*<)/u)
      .some((one) => /;\s*rel="?[^";]*\blicense\b/iu.test(one) && /application\/rsl\+xml/iu.test(one)),
  )
