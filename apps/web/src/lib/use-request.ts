import { useCallback, useRef, useState } from 'react'
import { ApiError } from './api-client.ts'
import { messages } from '@shinobi/contract/messages'

/** The words of a failed call: its own message, which is fit to be shown. */
export const wordsOf = (error: unknown): string => (error instanceof ApiError ? error.message : messages.unexpected)

export interface Request {
  busy: boolean
  /** Why the last one failed, or what had to be mended before it could be sent. */
  problem: string | null
  complain: (problem: string | null) => void
  /** Does nothing while one is under way. @returns whether it succeeded */
  send: (work: () => Promise<void>, describe?: (error: unknown) => string) => Promise<boolean>
}

/** One request of a form at a time, and its failure in words. */
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
