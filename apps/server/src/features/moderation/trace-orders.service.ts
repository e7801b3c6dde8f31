/** Orders of temporary logging: begun, ended and read by administrators. What is logged meanwhile is in tracing.service.ts. */
import { TRACES_READ_MAX } from '@shinobi/contract/limits'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../http/session.ts'
import type { Origin } from '../../http/visitor.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import { insertOrder, selectOrders, selectTraces, type OrderRow, type TraceRow } from './tracing.queries.ts'

const HOUR_MS = 3_600_000

/** @throws ApiError not_found, already_done */
export async function startTracing(
  deps: Pick<Deps, 'db' | 'now' | 'revisions' | 'tracing'>,
  actor: Member,
  threadId: string,
  { reason, hours }: { readonly reason: string; readonly hours: number },
): Promise<OrderRow> {
  const { db, now, revisions, tracing } = deps
  const at = new Date(now())
  const endsAt = new Date(at.getTime() + hours * HOUR_MS)
  // One whose time is over must not stand in the way.
  await tracing.sweep()
  try {
    await inTransaction(db, async (tx) => {
      const thread = await lockStandingThread(tx, threadId)
      if (thread === undefined) throw refuse('not_found', 'thread_not_found')
      const id = uuidv7(at.getTime())
      await insertOrder(tx, { id, threadId, reason, createdBy: actor.id, createdAt: at, endsAt })
      await insertAudit(tx, {
        actor,
        at,
        action: 'tracing_start',
        threadId,
        categoryId: thread.categoryId,
        subject: thread.title,
        reason,
        details: { hours, endsAt },
      })
      await revisions.raise(tx, 'tracing')
    })
  } catch (error) {
    if (isUniqueViolation(error)) throw refuse('already_done', 'tracing_running')
    throw error
  }
  return findOrder(deps, threadId)
}

/** Ends the order of a thread, and forgets what it gathered. @throws ApiError not_found */
export async function endTracing(
  deps: Pick<Deps, 'db' | 'now' | 'tracing'>,
  actor: Member,
  threadId: string,
): Promise<void> {
  const { id } = await findOrder(deps, threadId)
  if (!(await deps.tracing.end(id, actor))) throw refuse('not_found', 'tracing_none')
}

export type OpenTrace = TraceRow & Origin

/** What was logged; that it was read is logged as well. @throws ApiError not_found */
export async function readTraces(
  deps: Pick<Deps, 'db' | 'now' | 'tracing'>,
  actor: Member,
  threadId: string,
  reason: string,
): Promise<OpenTrace[]> {
  const { db, now, tracing } = deps
  const { id: orderId, title } = await findOrder(deps, threadId)
  return inTransaction(db, async (tx) => {
    const rows = await selectTraces(tx, orderId, TRACES_READ_MAX)
    const traces = rows.map((row) => ({ ...row, ...tracing.open(threadId, row) }))
    // Nobody sees one before it stands in the log that they did.
    await insertAudit(tx, {
      actor,
      at: new Date(now()),
      action: 'traces_read',
      threadId,
      subject: title,
      reason,
      details: { traces: traces.length },
    })
    return traces
  })
}

async function findOrder({ db, now }: Pick<Deps, 'db' | 'now'>, threadId: string): Promise<OrderRow> {
  const [order] = await selectOrders(db, new Date(now()), threadId)
  if (order === undefined) throw refuse('not_found', 'tracing_none')
  return order
}
