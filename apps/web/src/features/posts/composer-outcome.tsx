import { useState } from 'react'
import { useCountdown } from '../../lib/use-countdown.ts'
import { Notice, useTimedNotice } from '../../ui/notice.tsx'
import { Proving } from '../shields/proving.tsx'
import styles from './composer.module.css'
import type { SendProblem } from './use-sending.ts'

/**
 * The outcome of the last post: notices that disappear by themselves, one that stays, and the
 * seconds to wait before another attempt.
 */
export function useComposerOutcome() {
  const { notice, show, clear } = useTimedNotice()
  /** It must be read: it stays until it is closed, a post succeeds, or its countdown is over. */
  const [lasting, setLasting] = useState<SendProblem | null>(null)
  const wait = useCountdown()
  const isOver = lasting !== null && lasting.retryAfter !== null && wait.left === 0
  return {
    notice,
    lasting: isOver ? null : (lasting?.message ?? null),
    wait: wait.left,
    show,
    close: () => setLasting(null),
    settle() {
      clear()
      setLasting(null)
    },
    fail(problem: SendProblem) {
      setLasting(problem.lasting ? problem : null)
      if (problem.lasting) clear()
      else show(problem.message)
      if (problem.retryAfter !== null) wait.start(problem.retryAfter)
    },
  }
}

interface ComposerOutcomeProps {
  outcome: ReturnType<typeof useComposerOutcome>
  proving: boolean
}

export function ComposerOutcome({ outcome: { notice, lasting, close }, proving }: ComposerOutcomeProps) {
  return (
    <div className={styles['notice']}>
      {proving && <Proving className={styles['proving']} />}
      {lasting !== null && (
        <Notice tone="error" onClose={close}>
          {lasting}
        </Notice>
      )}
      {notice !== null && !proving && (
        <Notice key={notice.text} tone={notice.tone}>
          {notice.text}
        </Notice>
      )}
    </div>
  )
}
