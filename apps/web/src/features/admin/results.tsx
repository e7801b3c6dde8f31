import { useCallback, useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, type NoticeTone } from '../../ui/notice.tsx'
import { undoAction } from './api.ts'
import styles from './results.module.css'

/** The id of the log entry to undo, or a function that undoes the action where the log cannot. */
type Undo = string | (() => Promise<unknown>)

interface Result {
  key: number
  tone: NoticeTone
  text: string
  undo: Undo | null
}

/** Long enough to read it, or to decide to undo. */
const SHOWN_MS = 5_000
const UNDO_SHOWN_MS = 15_000

export interface Results {
  /** Shows the result of an action, with a button when it can be undone. */
  say: (text: string, undo?: Undo | null) => void
  fail: (error: unknown) => void
  region: React.ReactNode
}

/** @param reload reloads the screen after an action was undone */
export function useResults(reload: () => Promise<void>): Results {
  const [result, setResult] = useState<Result | null>(null)
  const [held, setHeld] = useState(false)
  const count = useRef(0)

  const show = useCallback((tone: NoticeTone, text: string, undo: Undo | null = null) => {
    count.current += 1
    setResult({ key: count.current, tone, text, undo })
  }, [])
  const say = useCallback((text: string, undo: Undo | null = null) => show('success', text, undo), [show])
  const fail = useCallback((error: unknown) => show('error', wordsOf(error)), [show])

  useEffect(() => {
    // A result under the pointer or with the focus does not disappear.
    if (result === null || held) return
    const timer = setTimeout(() => setResult(null), result.undo === null ? SHOWN_MS : UNDO_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result, held])

  const takeBack = async (undo: Undo) => {
    try {
      await (typeof undo === 'string' ? undoAction(undo) : undo())
      say('取り消しました。')
    } catch (error) {
      fail(error)
    }
    setHeld(false)
    await reload()
  }

  const region = (
    <div
      className={styles['region']}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {result !== null && (
        <Notice
          key={result.key}
          tone={result.tone}
          onClose={() => {
            setHeld(false)
            setResult(null)
          }}
        >
          <span className={styles['words']}>
            {result.text}
            {result.undo !== null && <UndoButton onUndo={() => takeBack(result.undo!)} />}
          </span>
        </Notice>
      )}
    </div>
  )
  return { say, fail, region }
}

function UndoButton({ onUndo }: { onUndo: () => Promise<void> }) {
  const [busy, setBusy] = useState(false)
  return (
    <Button
      size="sm"
      busy={busy}
      onClick={() => {
        setBusy(true)
        void onUndo()
      }}
    >
      取り消す
    </Button>
  )
}
