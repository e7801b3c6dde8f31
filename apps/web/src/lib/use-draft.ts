/**
 * Unsent input in local storage: it survives a reload, a crash and a failed request, and is removed
 * after a successful one. The first render always has the empty draft, as on the server.
 */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { holdEarlySubmit, readEarlyFields, type EarlyFields } from './early-form.ts'

const PREFIX = 'draft:'
/** Writes are delayed: a write per key press would only wear the disk. */
const WRITE_AFTER_MS = 400
/** An older draft is removed. */
const KEEP_MS = 30 * 24 * 3_600_000

interface Stored<T> {
  at: number
  value: T
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The stored draft merged over the empty one, so that a field added later has a value; null without
 * a valid draft.
 */
export function readDraft<T extends object>(storage: DraftStorage, key: string, empty: T, now: number): T | null {
  try {
    const text = storage.getItem(PREFIX + key)
    if (text === null) return null
    const { at, value } = JSON.parse(text) as Stored<T>
    if (now - at > KEEP_MS || typeof value !== 'object' || value === null) throw new Error('not a draft')
    const known = Object.entries(value).filter(([name, part]) => name in empty && typeof part === 'string')
    return { ...empty, ...Object.fromEntries(known) }
  } catch {
    // Corrupt, outdated or forbidden storage counts as empty.
    removeDraft(storage, key)
    return null
  }
}

export function writeDraft<T extends object>(storage: DraftStorage, key: string, value: T, now: number): void {
  try {
    storage.setItem(PREFIX + key, JSON.stringify({ at: now, value } satisfies Stored<T>))
  } catch {
    // Full or forbidden storage: the text stays in the form.
  }
}

export function removeDraft(storage: DraftStorage, key: string): void {
  try {
    storage.removeItem(PREFIX + key)
  } catch {
    // Forbidden storage contains no draft.
  }
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Removes a draft that was sent, unless another tab has replaced `own`, which this one had stored.
 */
export function removeOwnDraft<T extends object>(storage: DraftStorage, key: string, own: T, now: number): void {
  const kept = readDraft(storage, key, own, now)
  if (kept !== null && isSame(kept, own)) removeDraft(storage, key)
}

/**
 * Whether another tab has stored `kept` instead of `own`. A tab that shows `own` and adds to it, or
 * sends it, does not replace it.
 */
export function isReplaced<T extends Record<keyof T, string>>(own: T, kept: T): boolean {
  return (Object.keys(own) as (keyof T)[]).some((field) => !kept[field].includes(own[field]))
}

/**
 * Whether another tab that has removed `gone`, because it was sent or moved, did so with what is
 * shown here. That tab may have noted more about it meanwhile, in fields that are empty here.
 */
export function isTaken<T extends Record<keyof T, string>>(shown: T, gone: T): boolean {
  return (Object.keys(shown) as (keyof T)[]).every((field) => shown[field] === '' || shown[field] === gone[field])
}

/**
 * Merges input typed before the draft was read: a choice or a line replaces the stored one, a text
 * is appended to it, unless the stored one is the `empty` draft, which the writer saw and edited.
 */
export function addEarly<T extends object>(
  draft: T,
  empty: T,
  fields: EarlyFields,
): { value: T; early: Partial<T>; mixed: boolean } {
  const known = Object.entries(fields).filter(([name]) => name in draft)
  let mixed = false
  const typed = known.map(([name, { text, multiline }]) => {
    const kept = draft[name as keyof T] as string
    if (!multiline || kept === '' || kept === empty[name as keyof T]) return [name, text]
    if (kept === text || kept.endsWith(`\n${text}`)) return [name, kept]
    mixed = true
    return [name, `${kept}\n${text}`]
  })
  const early = Object.fromEntries(typed) as Partial<T>
  return { value: known.length === 0 ? draft : { ...draft, ...early }, early, mixed }
}

/**
 * Moves an unsent text to another form with the same fields, unless that one has a text already.
 */
export function moveDraft(from: string, to: string): void {
  try {
    const text = localStorage.getItem(PREFIX + from)
    if (text === null || localStorage.getItem(PREFIX + to) !== null) return
    localStorage.setItem(PREFIX + to, text)
    localStorage.removeItem(PREFIX + from)
  } catch {
    // Full or forbidden storage: the text stays where it was typed.
  }
}

const storage: DraftStorage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
}

/** Changes the draft of a form that is not on the screen. */
export function changeDraft<T extends object>(key: string, empty: T, change: (draft: T) => T): void {
  const now = Date.now()
  writeDraft(storage, key, change(readDraft(storage, key, empty, now) ?? empty), now)
}

export interface Draft<T> {
  value: T
  update: (patch: Partial<T>) => void
  /** The same, stored when it returns, where it can be. */
  updateNow: (patch: Partial<T>) => void
  /**
   * Empties the draft and removes it from storage, after it was sent. What another tab has stored
   * since stays there.
   */
  clear: () => void
  /** False until the stored draft was read. */
  restored: boolean
  /** The part of it that was typed or chosen in the rendered form before hydration. */
  early: Partial<T>
}

/**
 * `T` is a flat object of strings; `empty` must be the same object at every render (a module
 * constant). With a `form` whose fields have the draft's names, input typed there before hydration
 * becomes part of the draft.
 */
export function useDraft<T extends Record<keyof T, string>>(
  key: string,
  empty: T,
  form?: RefObject<HTMLFormElement | null>,
): Draft<T> {
  const [state, setState] = useState<{ key: string | null; value: T }>({ key: null, value: empty })
  const [early, setEarly] = useState<Partial<T>>({})
  const latest = useRef(empty)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  /** What this tab has read or written last; the tabs of a browser share the stored draft. */
  const stored = useRef(empty)
  const isTyped = useRef(false)
  /** Another tab has replaced what was typed here; it is stored again once the place is free. */
  const isWaiting = useRef(false)

  const write = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    isWaiting.current = false
    stored.current = latest.current
    writeDraft(storage, key, latest.current, Date.now())
  }, [key])

  const forget = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    latest.current = empty
    isTyped.current = false
    isWaiting.current = false
    setState({ key, value: empty })
  }, [key, empty])

  useEffect(() => {
    const kept = readDraft(storage, key, empty, Date.now()) ?? empty
    const element = form?.current ?? null
    const typed = addEarly(kept, empty, element === null ? {} : readEarlyFields(element))
    // The writer has not seen the merged text yet and must check it before it is sent.
    if (typed.mixed && element !== null) holdEarlySubmit(element)
    latest.current = typed.value
    stored.current = kept
    isTyped.current = typed.value !== kept
    setEarly(typed.early)
    if (isTyped.current) write()
    setState({ key, value: latest.current })
    const look = (from: DraftStorage): T => {
      const found = readDraft(from, key, empty, Date.now())
      if (found !== null && isTyped.current && isReplaced(latest.current, found)) isWaiting.current = true
      return found ?? empty
    }
    const flush = () => {
      // A text that nobody has replaced was sent or moved when its place is free.
      const isFree = isSame(look(storage), empty)
      if (timer.current !== undefined || (isWaiting.current && isFree)) write()
    }
    const onStorage = ({ key: changed, oldValue, newValue }: StorageEvent) => {
      if (changed !== PREFIX + key) return
      const read = { getItem: () => oldValue, setItem: () => {}, removeItem: () => {} }
      const before = readDraft(read, key, empty, Date.now())
      if (newValue === null && before !== null && isTaken(latest.current, before)) forget()
      // The other tab may have sent its text before this one comes to read it.
      else look({ ...storage, getItem: () => newValue })
    }
    addEventListener('storage', onStorage)
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      removeEventListener('storage', onStorage)
      removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [key, empty, form, write, forget])

  const update = useCallback(
    (patch: Partial<T>) => {
      latest.current = { ...latest.current, ...patch }
      isTyped.current = true
      setState({ key, value: latest.current })
      clearTimeout(timer.current)
      timer.current = setTimeout(write, WRITE_AFTER_MS)
    },
    [key, write],
  )

  const updateNow = useCallback(
    (patch: Partial<T>) => {
      update(patch)
      write()
    },
    [update, write],
  )

  const clear = useCallback(() => {
    removeOwnDraft(storage, key, stored.current, Date.now())
    forget()
  }, [key, forget])

  return { value: state.value, update, updateNow, clear, restored: state.key === key, early }
}
