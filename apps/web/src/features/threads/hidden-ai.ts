/**
 * Whether this browser leaves AI summaries out of lists. It stands as `data-hide-ai` on <html>, where the style sheets obey it (and
 * public/boot.js puts it before the first paint, for the rendered page is the same for everybody), and in local storage.
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

/** Hears of presses in this tab and in others. */
export function onAiHidden(listener: () => void): () => void {
  const follow = ({ key }: StorageEvent) => {
    if (key !== KEY && key !== null) return
    show(readStored(KEY) !== null)
    listener()
  }
  addEventListener(CHANGED, listener)
  addEventListener('storage', follow)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', follow)
  }
}
