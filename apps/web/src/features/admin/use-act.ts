import { useState } from 'react'
import type { Results } from './results.tsx'

interface ActOptions {
  results: Results
  /** Reloads what the actions change. */
  onChanged: () => Promise<void>
}

/** Actions of single buttons, whose results are shown above the screen that they change. */
export function useAct({ results, onChanged }: ActOptions) {
  /** The key of the button that was pressed, until the screen is reloaded. */
  const [busy, setBusy] = useState<string | null>(null)
  const act = async (key: string, work: () => Promise<unknown>, words: string) => {
    setBusy(key)
    try {
      await work()
      results.say(words)
    } catch (error) {
      results.fail(error)
    }
    await onChanged()
    setBusy(null)
  }
  return { busy, act }
}
