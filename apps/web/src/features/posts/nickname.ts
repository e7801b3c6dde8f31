import { readStored, writeStored } from '../../lib/storage.ts'

/** Nicknames of anonymous visitors: one per thread, kept for the session of the browser tab (SPEC §3, §4). */
const keyOf = (threadId: string) => `anonymousNickname-${threadId}`

export const storedNickname = (threadId: string): string | null => readStored(keyOf(threadId), 'sessionStorage')

export const storeNickname = (threadId: string, name: string): void =>
  writeStored(keyOf(threadId), name, 'sessionStorage')
