/**
 * What this browser watches and was told, in local storage: all tabs share it, and the server never
 * gets it from here.
 */
import { useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'
import { WATCHED_MAX } from '@shinobi/contract/watching-limits'
import { NOTHING_WATCHED, type Watching } from './alerts.ts'

const KEY = 'watching'

let read: { readonly stored: string | null; readonly watching: Watching } = { stored: null, watching: NOTHING_WATCHED }

function parse(stored: string): Watching {
  try {
    const value: unknown = JSON.parse(stored)
    return typeof value === 'object' && value !== null ? { ...NOTHING_WATCHED, ...value } : NOTHING_WATCHED
  } catch {
    return NOTHING_WATCHED
  }
}

/** The same object until it changes. */
export function readWatching(): Watching {
  const stored = readStored(KEY)
  if (stored !== read.stored) read = { stored, watching: stored === null ? NOTHING_WATCHED : parse(stored) }
  return read.watching
}

export function changeWatching(change: (before: Watching) => Watching): void {
  const before = readWatching()
  const next = change(before)
  if (next === before) return
  writeStored(KEY, JSON.stringify(next))
  announceStored(KEY)
}

/** Watches a thread from its newest post on, or no longer. */
export const watchThread = (threadId: string, postCount: number, isOn: boolean): void =>
  changeWatching((before) => {
    const others = before.threads.filter((id) => id !== threadId)
    const { [threadId]: _, ...seen } = before.seen
    return isOn
      ? { ...before, threads: [...others, threadId].slice(-WATCHED_MAX), seen: { ...seen, [threadId]: postCount } }
      : { ...before, threads: others, seen }
  })

/** Subscribes to changes in this tab and in others. */
export const subscribeWatching = (listener: () => void): (() => void) => subscribeStored(KEY, listener)

export const useWatching = (): Watching => useSyncExternalStore(subscribeWatching, readWatching, () => NOTHING_WATCHED)
