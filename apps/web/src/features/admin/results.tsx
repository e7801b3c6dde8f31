import { useCallback, useEffect, useRef, useState } from 'react'
import { wordsOf } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Notice, type NoticeTone } from '../../ui/notice.tsx'
import { undoAction } from './api.ts'
import styles from './results.module.css'

interface Result {
  key: number
  tone: NoticeTone
  text: string
  /** The entry of the log that can be taken back. */
  actionId: string | null
}

/** Long enough to read, or to think better of it. */
const SHOWN_MS = 5_000
const UNDO_SHOWN_MS = 15_000

export interface Results {
  /** What came of a press; with the entry of the log, a button takes it back. */
  say: (text: string, actionId?: string | null) => void
  fail: (error: unknown) => void
  region: React.ReactNode
}

/** @param reload what stands on the screen after something was taken back */
export function useResults(reload: () => Promise<void>): Results {
  const [result, setResult] = useState<Result | null>(null)
  const [held, setHeld] = useState(false)
  const count = useRef(0)

  const show = useCallback((tone: NoticeTone, text: string, actionId: string | null = null) => {
    count.current += 1
    setResult({ key: count.current, tone, text, actionId })
  }, [])
  const say = useCallback((text: string, actionId: string | null = null) => show('success', text, actionId), [show])
  const fail = useCallback((error: unknown) => show('error', wordsOf(error)), [show])

  useEffect(() => {
    // Nothing goes away under somebody's pointer or keyboard.
    if (result === null || held) return
    const timer = setTimeout(() => setResult(null), result.actionId === null ? SHOWN_MS : UNDO_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result, held])

  const undo = async (actionId: string) => {
    try {
      await undoAction(actionId)
      say('取り消しました')
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
            {result.actionId !== null && <UndoButton onUndo={() => undo(result.actionId!)} />}
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
