/**
 * Limits of moderation, administration and news. Apart from limits.ts, which every page loads.
 */
import type { TextLimit } from './limits.ts'

/** A reason (which others read) and a note of a moderator or administrator: one sentence. */
export const MODERATION_REASON: TextLimit = { min: 1, max: 200, maxBytes: 2_400 }
export const MODERATION_NOTE: TextLimit = { min: 0, max: 200, maxBytes: 2_400 }
/** Text of the banner, and beside the notice of the read-only mode: two lines of a phone. */
export const BANNER: TextLimit = { min: 0, max: 200, maxBytes: 2_400 }
/**
 * A banned word. A minimum of two characters would be safer, but some banned signs are a single
 * character.
 */
export const WORD: TextLimit = { min: 1, max: 60, maxBytes: 720 }
/** Name of a news source, shown as 出典 beside the title: one line of a phone. */
export const NEWS_NAME: TextLimit = { min: 1, max: 40, maxBytes: 480 }
/**
 * Minutes between two requests of a feed: publishers do not ask to be read more often than every
 * five minutes, and news that is a day old is no news.
 */
export const NEWS_INTERVAL_MINUTES = { min: 5, max: 1_440, usual: 30 } as const
/** One sentence of a summary. */
export const NEWS_SENTENCE: TextLimit = { min: 1, max: 200, maxBytes: 2_400 }

/**
 * Minimum and maximum of each number in the settings. The ranges are wide on purpose, because
 * boards differ; they only exclude values that limit nothing (a million a minute) or that no
 * visitor accepts (a day between two threads, a week in the queue). Level 21 is never reached.
 */
export const SETTING_RANGES = {
  postLimit: [100, 10_000],
  spamPosts: [1, 1_000_000],
  spamPostsPerAddress: [1, 1_000_000],
  spamWindowMinutes: [1, 1_440],
  ownDeleteMinutes: [0, 1_440],
  uploadsPerHour: [1, 1_000_000],
  postCooldownSeconds: [0, 3_600],
  threadCooldownSeconds: [0, 86_400],
  foldReporters: [0, 1_000],
  holdReleaseMinutes: [0, 10_080],
  newcomerHours: [0, 8_760],
  levelLinks: [0, 21],
  levelImages: [0, 21],
  levelThreads: [0, 21],
  levelCooldown: [0, 21],
  levelWords: [0, 21],
  levelCopies: [0, 21],
  levelOwner: [0, 21],
  levelRaid: [0, 21],
  shieldPostsPerMinute: [1, 1_000_000],
  shieldThreadsPerMinute: [1, 1_000_000],
  shieldQuietMinutes: [1, 1_440],
  shieldCooldownSeconds: [1, 3_600],
  newsThreadsPerHour: [1, 1_000],
  newsTokensPerHour: [0, 100_000_000],
  newsTokensPerDay: [0, 100_000_000],
} as const
