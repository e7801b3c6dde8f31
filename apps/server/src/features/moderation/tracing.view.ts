import type { TraceOrder } from '@shinobi/contract/moderation'
import type { OpenTrace } from './trace-orders.service.ts'
import type { OrderRow } from './tracing.queries.ts'

export const toTraceOrder = (row: OrderRow): TraceOrder => ({
  _id: row.id,
  threadId: row.threadId,
  title: row.title,
  reason: row.reason,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  endsAt: row.endsAt.toISOString(),
  traces: row.traces,
})

export const toTrace = ({ postId, number, createdAt, address, agent }: OpenTrace) => ({
  postId,
  number,
  at: createdAt.toISOString(),
  address,
  agent,
})
