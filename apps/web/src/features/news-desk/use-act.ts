import { useState } from 'react'
import type { TabProps } from './tab-props.ts'

/** Actions of single buttons, whose results are shown above the screen that they change. */
export function useAct({ results, onChanged }: Pick<TabProps, 'results' | 'onChanged'>) {
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
