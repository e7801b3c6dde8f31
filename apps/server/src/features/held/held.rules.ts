/** Decides what is released automatically: only what its writer could post at this moment. */
import type { Db } from '../../db/client.ts'
import type { HeldDeps } from './held.deps.ts'
import { startOfDayInJapan } from '../../lib/day-in-japan.ts'
import { isSilenced, type HeldRow } from './held.queries.ts'

export type Release =
  /**
   * `held` has words masked by the current rules; `flag` is a word to be reported to moderators.
   */
  | { readonly kind: 'publish'; readonly held: HeldRow; readonly flag: string | null }
  /** Only a moderator may publish it. */
  | { readonly kind: 'leave'; readonly why: 'ban' | 'silence' | 'word'; readonly detail: string | null }

/** Checks bans, silences and words again: they may have been added because of the raid. */
export async function judgeRelease(
  tx: Db,
  { bans, words, now }: Pick<HeldDeps, 'bans' | 'words' | 'now'>,
  held: HeldRow,
): Promise<Release> {
  if (await bans.hits(tx, held, held)) return { kind: 'leave', why: 'ban', detail: null }
  const { title, content, name, posterId } = held.payload
  const { threadId } = held
  if (threadId !== null && posterId !== undefined) {
    const since = new Date(startOfDayInJapan(now()))
    if (await isSilenced(tx, { threadId, posterId, since })) return { kind: 'leave', why: 'silence', detail: null }
  }
  const ofTitle = title === undefined ? null : words.judge(title)
  const ofContent = words.judge(content)
  const stop = [ofTitle, ofContent].find((verdict) => verdict?.action === 'block' || verdict?.action === 'hold')
  if (stop != null) return { kind: 'leave', why: 'word', detail: stop.word }
  // A member's name was checked when it was chosen. A visitor's name cannot be masked.
  if (held.userId === null && name !== null && words.isBanned(name)) {
    return { kind: 'leave', why: 'word', detail: words.judge(name).word }
  }
  const payload = { ...held.payload, content: ofContent.text, ...(ofTitle === null ? {} : { title: ofTitle.text }) }
  return { kind: 'publish', held: { ...held, payload }, flag: ofTitle?.flagged ?? ofContent.flagged }
}
