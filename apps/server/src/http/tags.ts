/** Tags of cached answers that belong to no feature alone (see response-cache.ts). */

/** Banner and shields: what every visitor is told. */
export const NOTICES_TAG = 'notices'
