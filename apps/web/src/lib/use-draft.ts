/**
 * What was typed and not yet sent, kept in local storage: it survives a reload, a crash and a failed sending, and goes
 * when the sending succeeded. The first render is always the empty draft, as on the server.
 */
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { holdEarlySubmit, readEarlyFields, type EarlyFields } from './early-form.ts'

const PREFIX = 'draft:'
/** Writing at every key would only wear the disk. */
const WRITE_AFTER_MS = 400
/** A draft that nobody came back to for this long is forgotten. */
const KEEP_MS = 30 * 24 * 3_600_000

interface Stored<T> {
  at: number
  value: T
}

type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** The stored draft over the empty one, so that a field added later has a value; null if there is none worth having. */
export function readDraft<T extends object>(storage: DraftStorage, key: string, empty: T, now: number): T | null {
  try {
    const text = storage.getItem(PREFIX + key)
    if (text === null) return null
    const { at, value } = JSON.parse(text) as Stored<T>
    if (now - at > KEEP_MS || typeof value !== 'object' || value === null) throw new Error('not a draft')
    const known = Object.entries(value).filter(([name, part]) => name in empty && typeof part === 'string')
    return { ...empty, ...Object.fromEntries(known) }
  } catch {
    // Corrupt, outdated or forbidden storage: as if there were none.
    removeDraft(storage, key)
    return null
  }
}

export function writeDraft<T extends object>(storage: DraftStorage, key: string, value: T, now: number): void {
  try {
    storage.setItem(PREFIX + key, JSON.stringify({ at: now, value } satisfies Stored<T>))
  } catch {
    // Full or forbidden storage: the text stays on the screen.
  }
}

export function removeDraft(storage: DraftStorage, key: string): void {
  try {
    storage.removeItem(PREFIX + key)
  } catch {
    // Forbidden storage holds nothing.
  }
}

/** The draft with what was typed before it was read: a choice or a line in its place, a text below the one that is kept. */
export function addEarly<T extends object>(
  draft: T,
  fields: EarlyFields,
): { value: T; early: Partial<T>; mixed: boolean } {
  const known = Object.entries(fields).filter(([name]) => name in draft)
  let mixed = false
  const typed = known.map(([name, { text, multiline }]) => {
    const kept = draft[name as keyof T] as string
    if (!multiline || kept === '') return [name, text]
    if (kept === text || kept.endsWith(`\n${text}`)) return [name, kept]
    mixed = true
    return [name, `${kept}\n${text}`]
  })
  const early = Object.fromEntries(typed) as Partial<T>
  return { value: known.length === 0 ? draft : { ...draft, ...early }, early, mixed }
}

const storage: DraftStorage = {
  getItem: (key) => localStorage.getItem(key),
  setItem: (key, value) => localStorage.setItem(key, value),
  removeItem: (key) => localStorage.removeItem(key),
}

export interface Draft<T> {
  value: T
  update: (patch: Partial<T>) => void
  /** Empties the draft and forgets it: after the sending succeeded. */
  clear: () => void
  /** False until storage was looked at. */
  restored: boolean
  /** What of it was typed or chosen in the rendered form before the script ran. */
  early: Partial<T>
}

/**
 * `T` is a flat object of strings; `empty` must be the same object at every render (a module constant). With the `form` whose
 * fields have the draft's names, what was typed there before the script ran is part of the draft.
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

  useEffect(() => {
    const kept = readDraft(storage, key, empty, Date.now()) ?? empty
    const element = form?.current ?? null
    const typed = addEarly(kept, element === null ? {} : readEarlyFields(element))
    // Two texts in one were never seen together: the writer looks at them first.
    if (typed.mixed && element !== null) holdEarlySubmit(element)
    latest.current = typed.value
    setEarly(typed.early)
    if (typed.value !== kept) writeDraft(storage, key, typed.value, Date.now())
    setState({ key, value: latest.current })
    const flush = () => {
      if (timer.current === undefined) return
      clearTimeout(timer.current)
      timer.current = undefined
      writeDraft(storage, key, latest.current, Date.now())
    }
    addEventListener('pagehide', flush)
    document.addEventListener('visibilitychange', flush)
    return () => {
      removeEventListener('pagehide', flush)
      document.removeEventListener('visibilitychange', flush)
      flush()
    }
  }, [key, empty, form])

  const update = useCallback(
    (patch: Partial<T>) => {
      latest.current = { ...latest.current, ...patch }
      setState({ key, value: latest.current })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        timer.current = undefined
        writeDraft(storage, key, latest.current, Date.now())
      }, WRITE_AFTER_MS)
    },
    [key],
  )

  const clear = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    latest.current = empty
    removeDraft(storage, key)
    setState({ key, value: empty })
  }, [key, empty])

  return { value: state.value, update, clear, restored: state.key === key, early }
}
