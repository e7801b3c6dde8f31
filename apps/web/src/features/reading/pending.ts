import type { ThreadRecord } from './record.ts'

/** Key of local storage for what a page was writing when it ended: a line of JSON for each. */
export const PENDING_KEY = 'pendingRecords'

export type PendingRecord = readonly [record: ThreadRecord, memberId: string | null]
