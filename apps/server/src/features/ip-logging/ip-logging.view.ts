import type { TraceOrder } from '@shinobi/contract/moderation'
import type { IpLoggingRow } from './ip-logging.queries.ts'
import type { OpenIpLogEntry } from './orders.service.ts'

export const toIpLoggingOrder = (row: IpLoggingRow): TraceOrder => ({
  _id: row.id,
  threadId: row.threadId,
  title: row.title,
  reason: row.reason,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  traces: row.entries,
})

export const toIpLogEntry = ({ postId, number, createdAt, address, agent }: OpenIpLogEntry) => ({
  postId,
  number,
  at: createdAt.toISOString(),
  address,
  agent,
})
