/** Tags of cached answers that belong to no single feature (see response-cache.ts). */

/** Banner and raid mode, as visitors see them. */
export const NOTICES_TAG = 'notices'
