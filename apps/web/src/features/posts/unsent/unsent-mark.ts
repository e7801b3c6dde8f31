/**
 * Whether this browser has unsent posts, in local storage: without the mark a page need not load
 * what sends them.
 */
import { readStored, writeStored } from '../../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../../lib/stored-changes.ts'

const KEY = 'unsent'

export const hasUnsent = (): boolean => readStored(KEY) !== null

/** For the next page, should this one end; most posts are acknowledged before anybody looks. */
export const markUnsent = (has: boolean): void => writeStored(KEY, has ? '1' : null)

export const tellUnsent = (): void => announceStored(KEY)

/** Subscribes to changes in this tab and in others. */
export const subscribeMark = (listener: () => void): (() => void) => subscribeStored(KEY, listener)
