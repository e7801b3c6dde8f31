/**
 * Whether this browser hides AI summaries in lists. Stored in local storage and as `data-hide-ai`
 * on <html>, which the style sheets use. public/boot.js sets the attribute before the first paint,
 * because the server-rendered page is the same for all visitors.
 */
import { readStored, writeStored } from '../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'

const KEY = 'hideAi'

const show = (hidden: boolean): boolean => document.documentElement.toggleAttribute('data-hide-ai', hidden)

export const isAiHidden = (): boolean => document.documentElement.hasAttribute('data-hide-ai')

export function setAiHidden(hidden: boolean): void {
  show(hidden)
  writeStored(KEY, hidden ? '1' : null)
  announceStored(KEY)
}

/** Subscribes to changes in this tab and in others. */
export function onAiHidden(listener: () => void): () => void {
  // Another tab may have changed it since public/boot.js ran, before this one listened.
  show(readStored(KEY) !== null)
  return subscribeStored(KEY, (isElsewhere) => {
    if (isElsewhere) show(readStored(KEY) !== null)
    listener()
  })
}
