/**
 * Whether this browser hides AI summaries in lists. Stored in local storage and as `data-hide-ai`
 * on <html>, which the style sheets use. public/boot.js sets the attribute before the first paint,
 * because the server-rendered page is the same for all visitors.
 */
import { readStored, writeStored } from '../../lib/storage.ts'

const KEY = 'hideAi'
const CHANGED = 'shinobi:hide-ai'

const show = (hidden: boolean): boolean => document.documentElement.toggleAttribute('data-hide-ai', hidden)

export const isAiHidden = (): boolean => document.documentElement.hasAttribute('data-hide-ai')

export function setAiHidden(hidden: boolean): void {
  show(hidden)
  writeStored(KEY, hidden ? '1' : null)
  dispatchEvent(new Event(CHANGED))
}

/** Subscribes to changes in this tab and in others. */
export function onAiHidden(listener: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== KEY && key !== null) return
    show(readStored(KEY) !== null)
    listener()
  }
  addEventListener(CHANGED, listener)
  addEventListener('storage', follow)
  // Another tab may have changed it since public/boot.js ran, before this one listened.
  show(readStored(KEY) !== null)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', follow)
  }
}
