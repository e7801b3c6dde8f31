/**
 * State of a moderator's desk: items to decide on, one of them current. A decision removes its item
 * at once and selects the next one; a decision that fails restores the item. Lists fetched
 * meanwhile never replace the current item.
 * Pure: every function takes a state and returns the next one.
 */
export interface DeskState<T> {
  readonly items: readonly T[]
  /** Key of the current item; null on an empty desk. */
  readonly current: string | null
  /** Decided here: not shown again by a list that was read before the server had the decision. */
  readonly taken: ReadonlyMap<string, 'sending' | 'done'>
  /** Current, and decided by another moderator meanwhile. */
  readonly gone: string | null
  /** Errors of failed decisions, by key. */
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

/**
 * Applies the server's current list. The current item stays in place, even if it is no longer in
 * the list.
 */
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

/** Selects another item; one that another moderator has decided is removed when it is left. */
export function select<T>(desk: DeskState<T>, key: string, keyOf: KeyOf<T>): DeskState<T> {
  if (key === desk.current) return desk
  const items = desk.gone === null ? desk.items : desk.items.filter((item) => keyOf(item) !== desk.gone)
  return { ...desk, items, gone: null, current: key }
}

/** Selects the next (1) or the previous (-1) item; stops at the ends. */
export function step<T>(desk: DeskState<T>, by: 1 | -1, keyOf: KeyOf<T>): DeskState<T> {
  const at = desk.items.findIndex((item) => keyOf(item) === desk.current)
  const to = desk.items[at + by]
  return to === undefined ? desk : select(desk, keyOf(to), keyOf)
}

/** Decided here: removes the item and selects the one after it. */
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

/** The server has stored the decision, or another moderator was first. */
export const settle = <T>(desk: DeskState<T>, key: string): DeskState<T> =>
  desk.taken.has(key) ? { ...desk, taken: new Map(desk.taken).set(key, 'done') } : desk

/**
 * The decision failed: restores the item at its place with the error; the current item stays
 * selected.
 */
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
