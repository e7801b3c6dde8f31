/** Tag of cached answers that name categories (see http/response-cache.ts). */
export const CATEGORIES_TAG = 'categories'
