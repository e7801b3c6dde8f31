/** Tag of cached answers that show the public log (see http/response-cache.ts). */
export const PUBLIC_LOG_TAG = 'moderation-log'
