import { useCallback, useRef, useState } from 'react'
import { ApiError } from './api-client.ts'
import { messages } from '@shinobi/contract/messages'

/** The message of a failed call, which can be shown to visitors. */
export const wordsOf = (error: unknown): string => (error instanceof ApiError ? error.message : messages.unexpected)

export interface Request {
  busy: boolean
  /** Why the last request failed, or what has to be corrected before it can be sent. */
  problem: string | null
  complain: (problem: string | null) => void
  /**
   * Ignored while a request is pending.
   * @returns whether it succeeded
   */
  send: (work: () => Promise<void>, describe?: (error: unknown) => string) => Promise<boolean>
}

/** Sends one request of a form at a time, and keeps the message of its failure. */
export function useRequest(): Request {
  const [busy, setBusy] = useState(false)
  const [problem, complain] = useState<string | null>(null)
  const underWay = useRef(false)

  const send = useCallback(async (work: () => Promise<void>, describe: (error: unknown) => string = wordsOf) => {
    if (underWay.current) return false
    underWay.current = true
    setBusy(true)
    complain(null)
    try {
      await work()
      return true
    } catch (error) {
      complain(describe(error))
      return false
    } finally {
      underWay.current = false
      setBusy(false)
    }
  }, [])

  return { busy, problem, complain, send }
}
