/**
 * What administrators set on the screen: limits, thresholds and the banner. A change reaches every
 * server within two seconds, without a restart.
 */
import { z } from 'zod'
import { answers, body, requires, time, type Call } from './common.ts'
import { bannerWords } from './complaints.ts'
import { messages } from './messages.ts'
import { BANNER, SETTING_RANGES } from './staff-limits.ts'

const whole = (name: keyof typeof SETTING_RANGES) => {
  const [min, max] = SETTING_RANGES[name]
  const error = messages.setting_range(min, max)
  return z.number({ error }).int(error).min(min, error).max(max, error)
}

/**
 * A threshold for each step that raid mode takes automatically. They must rise from step to step.
 * The fourth step, the lock, is only set by hand.
 */
const thresholds = (name: keyof typeof SETTING_RANGES) =>
  z
    .tuple([whole(name), whole(name), whole(name)])
    .refine(
      (steps) => steps.every((value, index) => index === 0 || value > (steps[index - 1] ?? 0)),
      messages.setting_rising,
    )

/** A text of the operators to every visitor; may be empty. */
const noticeText = body(BANNER, bannerWords)

export const boardSettings = z.object({
  postLimit: whole('postLimit').describe(
    'posts of a thread, where its category sets no other number; the last one closes the thread',
  ),
  spamPosts: whole('spamPosts').describe(
    'within the window, a visitor’s post with this number is refused, and all after it',
  ),
  spamPostsPerAddress: whole('spamPostsPerAddress').describe(
    'posts of one IPv4 address within the window; never fewer than one visitor has',
  ),
  spamWindowMinutes: whole('spamWindowMinutes').describe('length of that window'),
  ownDeleteMinutes: whole('ownDeleteMinutes').describe(
    'for so long after a post its writer may delete it; 0 for never',
  ),
  uploadsPerHour: whole('uploadsPerHour').describe('images of one visitor'),
  postCooldownSeconds: whole('postCooldownSeconds').describe('between two posts of one visitor; 0 for none'),
  threadCooldownSeconds: whole('threadCooldownSeconds').describe('between two threads of one visitor; 0 for none'),
  foldReporters: whole('foldReporters').describe('distinct reporters after whom a post is folded; 0 for never'),
  holdReleaseMinutes: whole('holdReleaseMinutes').describe(
    'after which what raid mode has held is let through, once the category is calm; 0 for never',
  ),
  newcomerHours: whole('newcomerHours').describe(
    'a younger account has no voice of its own in reports: it counts with the visitors of its address',
  ),
  levelLinks: whole('levelLinks').describe(
    'level from which addresses in posts are links; here and below, 0 is everybody',
  ),
  levelImages: whole('levelImages').describe(
    'level from which images are not held, where a category holds those of newcomers',
  ),
  levelThreads: whole('levelThreads').describe('level from which there is no minimum time between two threads'),
  levelCooldown: whole('levelCooldown').describe('level from which the minimum time between two posts is half as long'),
  levelWords: whole('levelWords').describe('level from which words that would hold a post only report it'),
  levelCopies: whole('levelCopies').describe(
    'level from which a text is not held that two others have written nearly alike within a day; 0 to compare no texts',
  ),
  levelOwner: whole('levelOwner').describe('level from which the opener of a thread may look after it (スレ主)'),
  levelRaid: whole('levelRaid').describe('level from which raid mode asks for nothing but its minimum time, halved'),
  bannerText: noticeText.describe('shown on every page; empty for none'),
  readOnly: z.boolean().describe('visitors and members write nothing; reading, log-in and administration go on'),
  readOnlyText: noticeText.describe('shown beside the notice of the read-only mode; empty for none'),
  gateway: z.boolean().describe('browsers of 2ch (専ブラ) read and write, without an account'),
  requireSecondFactor: z.boolean().describe('administrators need a second factor'),
  requireModeratorSecondFactor: z.boolean().describe('moderators need a second factor'),
  shieldAutomatic: z.boolean().describe('raid mode rises and falls by itself'),
  shieldPostsPerMinute: thresholds('shieldPostsPerMinute').describe(
    'posts of a category in a minute that trip each step; ten tries that are refused count as one',
  ),
  shieldThreadsPerMinute: thresholds('shieldThreadsPerMinute').describe('the same for new threads'),
  shieldQuietMinutes: whole('shieldQuietMinutes').describe('below the thresholds for so long, a step is taken back'),
  shieldCooldownSeconds: whole('shieldCooldownSeconds').describe(
    'between two posts of one visitor while a step stands; half for regulars',
  ),
  newsActive: z.boolean().describe('news are read, summarised and published; false: all of it stands still'),
  newsApproval: z.boolean().describe('an administrator approves each story before it is published'),
  newsRiskApproval: z
    .boolean()
    .describe(
      'an administrator approves AI summaries that name somebody with a death, illness, crime or accusation; false risks that a false one harms that person',
    ),
  newsThreadsPerHour: whole('newsThreadsPerHour').describe('news threads opened at most; the others wait'),
  newsTokensPerHour: whole('newsTokensPerHour').describe('tokens the language model may cost in an hour; 0 for none'),
  newsTokensPerDay: whole('newsTokensPerDay').describe('the same for 24 hours'),
})
export type BoardSettings = z.infer<typeof boardSettings>

/** Any subset of the settings. */
export const settingsChange = boardSettings.partial()
export type SettingsChange = z.infer<typeof settingsChange>

export const settingsAnswer = z.object({
  settings: boardSettings,
  defaults: boardSettings.describe('what holds when nothing was set'),
  changedAt: time.nullable(),
})
export type SettingsAnswer = z.infer<typeof settingsAnswer>

export const getSettings = {
  ...requires('changeSettings'),
  method: 'GET',
  url: '/api/admin/settings',
  schema: { summary: 'Settings of the board', tags: ['admin'], response: answers(settingsAnswer) },
} as const satisfies Call

export const changeSettings = {
  ...requires('changeSettings'),
  method: 'PUT',
  url: '/api/admin/settings',
  schema: {
    summary: 'Change settings; those that are left out stay',
    tags: ['admin'],
    body: settingsChange,
    response: answers(settingsAnswer),
  },
} as const satisfies Call
