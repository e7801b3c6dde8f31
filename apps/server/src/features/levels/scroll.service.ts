/** The level as its owner sees it, and its way to another browser or to the owner's account. */
import { LEVEL_MAX, LEVEL_PHRASE_HOURS } from '@shinobi/contract/limits'
import type { Scroll, ScrollOpening } from '@shinobi/contract/scroll'
import type { BoardSettings } from '@shinobi/contract/settings'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { dayInJapan, nextDayInJapan } from '../../lib/day-in-japan.ts'
import { ANYWHERE } from '../bans/bans.service.ts'
import { createPhraseHasher, newPhrase } from './level-phrases.ts'
import { joinLevels, levelOf, NO_LEVEL, settleDays, type LevelRow } from './level.rules.ts'
import type { LevelsDeps } from './levels.deps.ts'
import { deletePhrase, savePhrase, selectLevel, selectPhraseEnd, takePhrase } from './levels.queries.ts'

const HOUR_MS = 3_600_000

const SETTINGS = {
  links: 'levelLinks',
  images: 'levelImages',
  threads: 'levelThreads',
  owner: 'levelOwner',
  raid: 'levelRaid',
  copies: 'levelCopies',
  cooldown: 'levelCooldown',
  words: 'levelWords',
} as const satisfies Record<ScrollOpening, keyof BoardSettings>

/** @param visitor null: somebody who has done nothing yet */
export async function readScroll({ db, now, settings }: LevelsDeps, visitor: Visitor | null): Promise<Scroll> {
  const at = now()
  const today = dayInJapan(at)
  const member = visitor?.member ?? null
  const rowOf = async (id: string | undefined): Promise<LevelRow> =>
    (id === undefined ? undefined : await selectLevel(db, id)) ?? NO_LEVEL
  const row = settleDays(await rowOf(visitor === null ? undefined : actorId(visitor)), today)
  const level = levelOf(row, today)
  const joined = member === null ? 0 : levelOf(joinLevels(row, await rowOf(visitor!.visitorId), today), today)
  const phraseEnd =
    visitor === null || member !== null ? undefined : await selectPhraseEnd(db, visitor.visitorId, new Date(at))
  const { stainedDay, pendingDay } = row
  return {
    of: member === null ? 'browser' : 'member',
    level,
    days: row.days,
    removals: row.removals,
    today: stainedDay === today ? 'removed' : pendingDay === today ? 'written' : 'none',
    dayEndsAt: new Date(nextDayInJapan(at)).toISOString(),
    opens: opensAt(settings.current, level),
    phraseEndsAt: phraseEnd?.toISOString() ?? null,
    levelOfBrowser: joined > level ? joined : null,
  }
}

const opensAt = (current: BoardSettings, own: number): Scroll['opens'] =>
  (Object.keys(SETTINGS) as ScrollOpening[])
    .map((what) => ({ what, level: current[SETTINGS[what]], isOpen: own >= current[SETTINGS[what]] }))
    // Level 21 is never reached.
    .filter(({ level }) => level <= LEVEL_MAX)
    .toSorted((one, other) => one.level - other.level)

/**
 * Makes a phrase for the level of a browser, in place of an earlier one.
 * @throws ApiError bad_request (a member, or no level), banned, too_many_requests
 */
export async function makePhrase(
  { db, now, secret, bans, limits }: LevelsDeps,
  visitor: Visitor | null,
): Promise<{ phrase: string; endsAt: Date }> {
  if (visitor === null) throw refuse('bad_request', 'scroll_empty')
  if (visitor.member !== null) throw refuse('bad_request', 'phrase_of_member')
  bans.check(visitor, ANYWHERE)
  const row = (await selectLevel(db, visitor.visitorId)) ?? NO_LEVEL
  if (levelOf(row, dayInJapan(now())) === 0) throw refuse('bad_request', 'scroll_empty')
  await limits.phrases.take(visitor)
  const phrase = newPhrase()
  const endsAt = new Date(now() + LEVEL_PHRASE_HOURS * HOUR_MS)
  await savePhrase(db, {
    phraseHash: createPhraseHasher(secret)(phrase),
    actorId: visitor.visitorId,
    expiresAt: endsAt,
  })
  return { phrase, endsAt }
}

export async function revokePhrase({ db }: LevelsDeps, visitor: Visitor | null): Promise<void> {
  if (visitor !== null) await deletePhrase(db, visitor.visitorId)
}

/**
 * Moves the level of another browser to this visitor. Of two claims of one phrase only the first
 * finds it.
 * @throws ApiError not_found (an unknown phrase, or one of a banned browser), already_done (the
 * level would not rise, or may not move here; the phrase stays), bad_request (the own phrase),
 * banned, too_many_requests
 */
export async function claimPhrase(
  { db, now, secret, bans, limits, levels }: LevelsDeps,
  visitor: Visitor,
  typed: string,
): Promise<void> {
  bans.check(visitor, ANYWHERE)
  await limits.phrases.take(visitor)
  const to = actorId(visitor)
  await inTransaction(db, async (tx) => {
    const from = await takePhrase(tx, createPhraseHasher(secret)(typed), new Date(now()))
    if (from === undefined) throw refuse('not_found', 'phrase_unknown')
    if (from === to) throw refuse('bad_request', 'phrase_of_own')
    // A ban is not announced to whoever merely has the phrase.
    if (await bans.hits(tx, { userId: null, visitorId: from }, ANYWHERE)) throw refuse('not_found', 'phrase_unknown')
    await levels.moveIn(tx, from, to)
  })
}

/**
 * Moves the level of this browser to the account of its member.
 * @throws ApiError already_done (the level would not rise, or may not move there), banned
 */
export async function joinScrolls(
  { db, bans, levels }: LevelsDeps,
  visitor: Visitor & { readonly member: Member },
): Promise<void> {
  bans.check(visitor, ANYWHERE)
  await inTransaction(db, async (tx) => {
    // It would move the new level of this browser.
    await deletePhrase(tx, visitor.visitorId)
    await levels.moveIn(tx, visitor.visitorId, visitor.member.id)
  })
}
