import manifest from '../../../package.json' with { type: 'json' }

/**
 * The board's version, from the repository's package.json; the built server contains the one at
 * build time.
 */
export const VERSION: string = manifest.version
