/** When notices are sent and what they say; without a database. */
import type { PushMessage } from '@shinobi/contract/push'
import { foldForSearch } from '@shinobi/text/fold'
import type { PushKind } from '../../db/tables.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Japan has no summer time. */
const OFFSET_MS = 9 * HOUR_MS

/** Hours in Japan; `until` is not part of them. Both null, or equal, for none. */
export interface QuietHours {
  readonly quietFrom: number | null
  readonly quietUntil: number | null
}

/** When the quiet hours around a time end, in milliseconds; null outside them. */
export function endOfQuiet(at: number, { quietFrom, quietUntil }: QuietHours): number | null {
  if (quietFrom === null || quietUntil === null || quietFrom === quietUntil) return null
  const midnight = Math.floor((at + OFFSET_MS) / DAY_MS) * DAY_MS - OFFSET_MS
  const since = (hour: number): number => (at - midnight - hour * HOUR_MS + DAY_MS) % DAY_MS
  const length = ((quietUntil - quietFrom + 24) % 24) * HOUR_MS
  const passed = since(quietFrom)
  return passed < length ? at - passed + length : null
}

/** Of a folded word; no word that somebody watches is longer. */
export const FOLDED_WORD_MAX = 60

/**
 * All parts of a title, folded, that a watched word can equal. Looking up each of them by the index
 * costs the same however many words are watched.
 */
export function partsOf(title: string): string[] {
  const folded = foldForSearch(title)
  const parts = new Set<string>()
  for (let from = 0; from < folded.length; from += 1) {
    const last = Math.min(folded.length, from + FOLDED_WORD_MAX)
    for (let to = from + 1; to <= last; to += 1) parts.add(folded.slice(from, to))
  }
  return [...parts]
}

/** What a notice is about, as it stands when it is sent. */
export interface News {
  readonly kind: PushKind
  readonly threadId: string
  /** The first post that is told of, and the last one: who has read through it need not be told. */
  readonly number: number
  readonly through: number
  readonly count: number
  /** Null where the browser does not show titles. */
  readonly title: string | null
}

/** As many posts are read to count what is new. */
export const COUNTED_MAX = 100

const NAME = '忍板'

/**
 * The words on a locked screen, which others may see: no text of a post, no name and no watched
 * word, and a title only by choice.
 */
export function writeMessage({ kind, threadId, number, through, count, title }: News): PushMessage {
  const words = wordsFor(kind, count)
  return {
    ...{ title: NAME, body: title === null ? words : `「${title}」\n${words}` },
    ...{ tag: threadId, path: `/thread/${threadId}/${number}`, threadId, number: through },
  }
}

function wordsFor(kind: PushKind, count: number): string {
  const many = count >= COUNTED_MAX ? `${COUNTED_MAX}件以上` : `${count}件`
  switch (kind) {
    case 'answer':
      return count === 1 ? 'あなたの書き込みに返信がありました。' : `あなたの書き込みに返信が${many}ありました。`
    case 'posts':
      return `見張っているスレッドに新しい書き込みが${many}あります。`
    case 'thread':
      return '見張っている言葉のスレッドが立ちました。'
  }
}

export const TEST_MESSAGE: PushMessage = {
  title: NAME,
  body: '試しの通知です。これが見えていれば、通知は届きます。',
  tag: 'test',
  path: '/notebook?list=alerts',
}
