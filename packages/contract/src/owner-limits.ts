/**
 * Limits of what the openers of threads (スレ主) do in them. Apart from limits.ts, so that they are
 * not in the first script. Free of dependencies.
 */
import type { TextLimit } from './limits.ts'

/** Note of the opener of a thread (スレ主): a correction or a link, not a second opening text. */
export const OWNER_NOTE: TextLimit = { min: 1, max: 200, maxBytes: 2_400 }
/** Notes of a thread, including those that were taken back: post 1 stays the longer text. */
export const OWNER_NOTES_MAX = 3
/** Reason of the opener of a thread for an action: one line below a folded post. */
export const OWNER_REASON: TextLimit = { min: 1, max: 100, maxBytes: 1_200 }
/** Actions of its opener in a thread, so that its log can be read by everybody in one go. */
export const OWNER_ACTIONS_MAX = 100
/** The same in an hour, also those that are refused: a storm needs a dozen, and malice more. */
export const OWNER_ACTIONS_PER_HOUR = 30
