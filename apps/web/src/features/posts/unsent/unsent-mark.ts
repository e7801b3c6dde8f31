/**
 * Whether this browser has unsent posts, in local storage: without the mark a page need not load
 * what sends them.
 */
import { readStored, writeStored } from '../../../lib/storage.ts'

const KEY = 'unsent'
const CHANGED = 'shinobi:unsent'

export const hasUnsent = (): boolean => readStored(KEY) !== null

/** For the next page, should this one end; most posts are acknowledged before anybody looks. */
export const markUnsent = (has: boolean): void => writeStored(KEY, has ? '1' : null)

export const tellUnsent = (): boolean => dispatchEvent(new Event(CHANGED))

/** Subscribes to changes in this tab and in others. */
export function subscribeMark(listener: () => void): () => void {
  addEventListener(CHANGED, listener)
  addEventListener('storage', listener)
  return () => {
    removeEventListener(CHANGED, listener)
    removeEventListener('storage', listener)
  }
}
