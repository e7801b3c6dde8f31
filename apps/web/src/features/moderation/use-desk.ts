import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { wordsOf } from '../../lib/use-request.ts'
import { arrive, bringBack, emptyDesk, select, settle, step, take, type DeskState, type KeyOf } from './desk-state.ts'

/** Number of decisions that `undo` remembers; the administration's log contains all of them. */
const REMEMBERED = 50

interface Taken<T> {
  readonly item: T
  /**
   * Resolves with a function that undoes the decision; null when it cannot be undone, or failed.
   */
  readonly done: Promise<(() => Promise<unknown>) | null>
}

const isRefused = (error: unknown, ...codes: readonly ApiError['code'][]): boolean =>
  error instanceof ApiError && codes.includes(error.code)

/** The last event, shown and announced to screen readers. `turn` distinguishes equal messages. */
export interface DeskNews {
  readonly words: string
  readonly tone: 'info' | 'error'
  readonly turn: number
}

export interface Desk<T> {
  readonly state: DeskState<T>
  readonly front: T | undefined
  readonly news: DeskNews
  readonly canUndo: boolean
  readonly select: (item: T) => void
  readonly step: (by: 1 | -1) => void
  /**
   * Decides: `work` resolves with a function that undoes it, or null. `words` describe the
   * decision.
   */
  readonly decide: (item: T, words: string, work: () => Promise<(() => Promise<unknown>) | null>) => void
  /** Takes an item off the desk that its user has decided by other means; `words` describe it. */
  readonly leave: (item: T, words: string) => void
  /** Undoes the last decision of this session that can be undone. */
  readonly undo: () => void
  readonly tell: (words: string, tone?: DeskNews['tone']) => void
}

const SILENCE: DeskNews = { words: '', tone: 'info', turn: 0 }

/**
 * A desk over a list of the server. Decisions are shown before the server has answered.
 * @param incoming the list as last fetched
 * @param onSettled the server stored a decision or its undoing: the list can be fetched again. Keep
 * `incoming` and `keyOf` stable otherwise.
 */
export function useDesk<T>(incoming: readonly T[] | undefined, keyOf: KeyOf<T>, onSettled: () => void): Desk<T> {
  const [state, setState] = useState<DeskState<T>>(emptyDesk)
  const [news, setNews] = useState(SILENCE)
  const [taken, setTaken] = useState<readonly Taken<T>[]>([])
  const undoing = useRef(false)

  useEffect(() => {
    if (incoming !== undefined) setState((desk) => arrive(desk, incoming, keyOf))
  }, [incoming, keyOf])

  const tell = useCallback(
    (words: string, tone: DeskNews['tone'] = 'info') => setNews(({ turn }) => ({ words, tone, turn: turn + 1 })),
    [],
  )

  const decide: Desk<T>['decide'] = (item, words, work) => {
    const key = keyOf(item)
    const at = state.items.indexOf(item)
    if (at === -1 || state.gone === key) return
    setState((desk) => take(desk, key, keyOf))
    tell(`${words}残り${state.items.length - 1}件`)
    const forget = () => setTaken((before) => before.filter((one) => one.done !== done))
    const done = work().then(
      (takeBack) => {
        setState((desk) => settle(desk, key))
        onSettled()
        if (takeBack === null) forget()
        return takeBack
      },
      (error: unknown) => {
        if (isRefused(error, 'already_done', 'not_found')) {
          // Another moderator was first: there is nothing left to decide.
          setState((desk) => settle(desk, key))
          onSettled()
        } else setState((desk) => bringBack(desk, item, at, wordsOf(error), keyOf))
        tell(wordsOf(error), 'error')
        forget()
        return null
      },
    )
    setTaken((before) => [...before, { item, done }].slice(-REMEMBERED))
  }

  const leave: Desk<T>['leave'] = (item, words) => {
    const key = keyOf(item)
    setState((desk) => settle(take(desk, key, keyOf), key))
    tell(`${words}残り${state.items.length - 1}件`)
    onSettled()
  }

  const undo = async () => {
    const last = taken.at(-1)
    if (last === undefined || undoing.current) return
    undoing.current = true
    try {
      const takeBack = await last.done
      if (takeBack === null) return
      await takeBack()
      setTaken((before) => before.filter((one) => one !== last))
      setState((desk) => select(bringBack(desk, last.item, 0, null, keyOf), keyOf(last.item), keyOf))
      tell('取り消しました。')
      onSettled()
    } catch (error) {
      // A decision that can no longer be undone must not block the one before it.
      if (isRefused(error, 'already_done', 'not_found', 'forbidden'))
        setTaken((before) => before.filter((one) => one !== last))
      tell(wordsOf(error), 'error')
    } finally {
      undoing.current = false
    }
  }

  return {
    state,
    front: state.items.find((item) => keyOf(item) === state.current),
    news,
    canUndo: taken.length > 0,
    select: (item) => setState((desk) => select(desk, keyOf(item), keyOf)),
    step: (by) => setState((desk) => step(desk, by, keyOf)),
    decide,
    leave,
    undo: () => void undo(),
    tell,
  }
}
