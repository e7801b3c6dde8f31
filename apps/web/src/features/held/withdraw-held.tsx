import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { Button } from '../../ui/button.tsx'
import { withdrawHeld } from './held.ts'

interface WithdrawHeldProps {
  id: string
  className?: string
  /** Puts the text back into its form: this browser alone has it. */
  onWithdrawn: () => void
}

/** 取り下げる for an own post or thread that still waits. */
export function WithdrawHeld({ id, className, onWithdrawn }: WithdrawHeldProps) {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const withdraw = async () => {
    setBusy(true)
    try {
      await withdrawHeld(id)
      onWithdrawn()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : messages.unexpected)
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        size="sm"
        variant="ghost"
        busy={busy}
        {...(className !== undefined && { className })}
        onClick={() => void withdraw()}
      >
        取り下げる
      </Button>
      {problem !== null && <span role="alert">{problem}</span>}
    </>
  )
}
