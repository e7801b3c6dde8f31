/** What the board itself may publish of what was held: what its writer could post at this moment, and nothing else. */
import type { Db } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import type { HeldRow } from './held.queries.ts'

export type Release =
  /** With the words struck out that are masked by now; `flag` is a word that moderators shall look at. */
  | { readonly kind: 'publish'; readonly held: HeldRow; readonly flag: string | null }
  /** Only a person may publish it. */
  | { readonly kind: 'leave'; readonly why: 'ban' | 'word'; readonly detail: string | null }

/** Looks again at bans and words: they may have been made because of the very raid in which it was held. */
export async function judgeRelease(
  tx: Db,
  { bans, words }: Pick<Deps, 'bans' | 'words'>,
  held: HeldRow,
): Promise<Release> {
  if (await bans.hits(tx, held, held)) return { kind: 'leave', why: 'ban', detail: null }
  const { title, content, name } = held.payload
  const ofTitle = title === undefined ? null : words.judge(title)
  const ofContent = words.judge(content)
  const stop = [ofTitle, ofContent].find((verdict) => verdict?.action === 'block' || verdict?.action === 'hold')
  if (stop != null) return { kind: 'leave', why: 'word', detail: stop.word }
  // A member's name was looked at when it was chosen. In a visitor's nothing can be struck out.
  if (held.userId === null && name !== null && words.isBanned(name)) {
    return { kind: 'leave', why: 'word', detail: words.judge(name).word }
  }
  const payload = { ...held.payload, content: ofContent.text, ...(ofTitle === null ? {} : { title: ofTitle.text }) }
  return { kind: 'publish', held: { ...held, payload }, flag: ofTitle?.flagged ?? ofContent.flagged }
}
