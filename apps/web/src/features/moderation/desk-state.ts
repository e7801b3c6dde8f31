/**
 * What lies on a moderator's desk: things to decide on, one of them in front. Decisions take a thing away at once and the next one
 * comes; a decision that fails brings it back. Lists that are read meanwhile never pull the one in front away.
 * Pure: every function takes a state and answers the next one.
 */
export interface DeskState<T> {
  readonly items: readonly T[]
  /** Key of the one in front; null on an empty desk. */
  readonly current: string | null
  /** Decided here: not to be shown again by a list that was read before the server knew. */
  readonly taken: ReadonlyMap<string, 'sending' | 'done'>
  /** In front, and decided by somebody else meanwhile. */
  readonly gone: string | null
  /** Why decisions failed, by key. */
  readonly problems: ReadonlyMap<string, string>
}

export type KeyOf<T> = (item: T) => string

export const emptyDesk = <T>(): DeskState<T> => ({
  items: [],
  current: null,
  taken: new Map(),
  gone: null,
  problems: new Map(),
})

const without = <V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> => {
  const next = new Map(map)
  next.delete(key)
  return next
}

/** The list as the server has it now. The one in front stays where it is, even if it is no longer in it. */
export function arrive<T>(desk: DeskState<T>, incoming: readonly T[], keyOf: KeyOf<T>): DeskState<T> {
  const keys = new Set(incoming.map(keyOf))
  const items = incoming.filter((item) => !desk.taken.has(keyOf(item)))
  const taken = new Map([...desk.taken].filter(([key, state]) => state === 'sending' || keys.has(key)))
  const at = desk.items.findIndex((item) => keyOf(item) === desk.current)
  const front = desk.items[at]
  const isGone = front !== undefined && desk.current !== null && !keys.has(desk.current)
  if (isGone) items.splice(Math.min(at, items.length), 0, front)
  const [first] = items
  return {
    ...desk,
    items,
    taken,
    gone: isGone ? desk.current : null,
    current: front === undefined ? (first === undefined ? null : keyOf(first)) : desk.current,
  }
}

/** Another one comes to the front; what somebody else has decided goes when it is left. */
export function select<T>(desk: DeskState<T>, key: string, keyOf: KeyOf<T>): DeskState<T> {
  if (key === desk.current) return desk
  const items = desk.gone === null ? desk.items : desk.items.filter((item) => keyOf(item) !== desk.gone)
  return { ...desk, items, gone: null, current: key }
}

/** The next (1) or the one before (-1); at either end it stays. */
export function step<T>(desk: DeskState<T>, by: 1 | -1, keyOf: KeyOf<T>): DeskState<T> {
  const at = desk.items.findIndex((item) => keyOf(item) === desk.current)
  const to = desk.items[at + by]
  return to === undefined ? desk : select(desk, keyOf(to), keyOf)
}

/** Decided: it goes, and the one behind it comes. */
export function take<T>(desk: DeskState<T>, key: string, keyOf: KeyOf<T>): DeskState<T> {
  const at = desk.items.findIndex((item) => keyOf(item) === key)
  if (at === -1) return desk
  const items = desk.items.filter((item) => keyOf(item) !== key)
  const next = items[at] ?? items[at - 1]
  return {
    items,
    taken: new Map(desk.taken).set(key, 'sending'),
    problems: without(desk.problems, key),
    gone: desk.gone === key ? null : desk.gone,
    current: desk.current !== key ? desk.current : next === undefined ? null : keyOf(next),
  }
}

/** The server has it, or somebody else was first. */
export const settle = <T>(desk: DeskState<T>, key: string): DeskState<T> =>
  desk.taken.has(key) ? { ...desk, taken: new Map(desk.taken).set(key, 'done') } : desk

/** The decision failed: it is there again at its place, with the reason, and nobody is torn from what they look at now. */
export function bringBack<T>(
  desk: DeskState<T>,
  item: T,
  at: number,
  problem: string | null,
  keyOf: KeyOf<T>,
): DeskState<T> {
  const key = keyOf(item)
  const items = desk.items.filter((other) => keyOf(other) !== key)
  items.splice(Math.min(at, items.length), 0, item)
  return {
    ...desk,
    items,
    taken: without(desk.taken, key),
    problems: problem === null ? without(desk.problems, key) : new Map(desk.problems).set(key, problem),
    current: desk.current ?? key,
  }
}
