/**
 * 忍法帖: how a level rises and falls. A day (in Japan) on which somebody posted, and nothing of
 * theirs was removed, lifts it by one when the day is over; each removal by a moderator lowers it
 * by one, until clean days make up for it.
 */
import { LEVEL_MAX } from '@shinobi/contract/limits'

/** The stored facts about a browser or member. */
export interface LevelRow {
  /** Clean days that are over; at most LEVEL_MAX. */
  readonly days: number
  /** Removals that no clean day has made up for yet. */
  readonly removals: number
  /** The last day with a post, which is not in `days` yet. YYYY-MM-DD. */
  readonly pendingDay: string | null
  /** The last day on which a post was removed: it does not lift. An undo may move it on. */
  readonly stainedDay: string | null
}

export const NO_LEVEL: LevelRow = { days: 0, removals: 0, pendingDay: null, stainedDay: null }

/** Adds the pending day when it is over, unless a post was removed on it. */
export function settleDays(row: LevelRow, today: string): LevelRow {
  if (row.pendingDay === null || row.pendingDay >= today) return row
  const settled = { ...row, pendingDay: null }
  if (row.pendingDay === row.stainedDay) return settled
  if (row.removals > 0) return { ...settled, removals: row.removals - 1 }
  return { ...settled, days: Math.min(LEVEL_MAX, row.days + 1) }
}

/** The level at a day, from 0 to LEVEL_MAX. 0: no level yet, or it was lost. */
export function levelOf(row: LevelRow, today: string): number {
  const { days, removals } = settleDays(row, today)
  return Math.max(0, days - removals)
}

/** After a post. */
export const afterPost = (row: LevelRow, today: string): LevelRow => ({ ...settleDays(row, today), pendingDay: today })

/** After a moderator has removed posts of theirs. */
export function afterRemoval(row: LevelRow, today: string, posts: number): LevelRow {
  const settled = settleDays(row, today)
  // More removals than this would make no difference for weeks, and could not be undone by days.
  const removals = Math.min(settled.removals + posts, 2 * LEVEL_MAX)
  return { ...settled, removals, stainedDay: today }
}

const DAY_MS = 86_400_000

/**
 * After removals were taken back. The clean days that have made up for them meanwhile lift. So does
 * the day of the removal, if it has a post, until the next day with one: later it is not known any
 * more.
 */
export function afterRestoration(row: LevelRow, today: string, posts: number): LevelRow {
  if (row.stainedDay === today || row.stainedDay === row.pendingDay) {
    const left = Math.max(0, row.removals - posts)
    return { ...row, removals: left, stainedDay: left === 0 ? null : row.stainedDay }
  }
  const settled = settleDays(row, today)
  const { stainedDay } = settled
  const removals = Math.max(0, settled.removals - posts)
  if (stainedDay === null) return { ...settled, removals }
  // No more than there were since, as removals above the maximum are not counted.
  const cleanDays = (Date.parse(today) - Date.parse(stainedDay)) / DAY_MS - 1
  const lifting = Math.min(cleanDays, Math.max(0, posts - settled.removals))
  return {
    ...settled,
    removals,
    days: Math.min(LEVEL_MAX, settled.days + lifting),
    // Each clean day lifts once, also when the posts are restored one by one.
    stainedDay: new Date(Date.parse(stainedDay) + lifting * DAY_MS).toISOString().slice(0, 10),
  }
}

/**
 * What somebody has after the level of another browser of theirs moved to them. Clean days are not
 * added up, so that ten browsers make no higher level than one, and the removals of both stay, so
 * that no move washes them off.
 */
export function joinLevels(own: LevelRow, other: LevelRow, today: string): LevelRow {
  const rows = [settleDays(own, today), settleDays(other, today)]
  const isStained = rows.some(({ stainedDay }) => stainedDay === today)
  return {
    days: Math.max(...rows.map(({ days }) => days)),
    removals: Math.min(
      rows.reduce((sum, { removals }) => sum + removals, 0),
      2 * LEVEL_MAX,
    ),
    pendingDay: rows.some(({ pendingDay }) => pendingDay === today) ? today : null,
    stainedDay: isStained ? today : null,
  }
}
