/** Limits of what a browser watches, and of its notices; apart from those that every page needs. */

/** Threads that a browser watches by their own switch, and the words that it watches. */
export const WATCHED_MAX = 100
export const KEYWORDS_MAX = 20
export const KEYWORD_LENGTH_MAX = 40
/** Threads of a registration for push: those watched, and as many with own posts. */
export const PUSH_THREADS_MAX = 2 * WATCHED_MAX
/** Own posts of each, the newest: answers to older ones are rare. */
export const PUSH_OWN_POSTS_MAX = 100
/** Notices an hour for one browser, as many as it may choose. */
export const PUSH_PER_HOUR_MAX = 20
/** Days without a visit after which a registration for push is deleted. */
export const PUSH_KEEP_DAYS = 60
