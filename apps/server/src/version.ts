import manifest from '../../../package.json' with { type: 'json' }

/** The board's version. Read from the repository's package.json; the built server carries the one it was built from. */
export const VERSION: string = manifest.version
