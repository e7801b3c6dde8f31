/**
 * Orders of temporary logging, which administrators start, end and read. ip-logging.service.ts does
 * the logging.
 */
import { TRACES_READ_MAX } from '@shinobi/contract/limits'
import type { Core } from '../../core.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import type { Origin } from '../../http/visitor.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { lockStandingThread } from '../threads/thread-locks.queries.ts'
import {
  insertIpLogging,
  selectIpLogging,
  selectIpLogEntries,
  type IpLoggingRow,
  type IpLogEntryRow,
} from './ip-logging.queries.ts'
import type { IpLogging } from './ip-logging.service.ts'

const HOUR_MS = 3_600_000

export interface IpLoggingDeps extends Core {
  readonly ipLogging: IpLogging
}

/** @throws ApiError not_found, already_done */
export async function startIpLogging(
  deps: Pick<IpLoggingDeps, 'db' | 'now' | 'revisions' | 'ipLogging'>,
  actor: Member,
  threadId: string,
  { reason, hours }: { readonly reason: string; readonly hours: number },
): Promise<IpLoggingRow> {
  const { db, now, revisions, ipLogging } = deps
  const at = new Date(now())
  const endsAt = new Date(at.getTime() + hours * HOUR_MS)
  // An expired order that is not swept yet would block the new one.
  await ipLogging.sweep()
  try {
    await inTransaction(db, async (tx) => {
      const thread = await lockStandingThread(tx, threadId)
      if (thread === undefined) throw refuse('not_found', 'thread_not_found')
      const id = uuidv7(at.getTime())
      await insertIpLogging(tx, { id, threadId, reason, createdBy: actor.id, createdAt: at, endsAt })
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
  return findIpLogging(deps, threadId)
}

/** Ends the active order of a thread, and deletes its entries. @throws ApiError not_found */
export async function endIpLogging(
  deps: Pick<IpLoggingDeps, 'db' | 'now' | 'ipLogging'>,
  actor: Member,
  threadId: string,
): Promise<void> {
  const { id } = await findIpLogging(deps, threadId)
  if (!(await deps.ipLogging.end(id, actor))) throw refuse('not_found', 'tracing_none')
}

export type OpenIpLogEntry = IpLogEntryRow & Origin

/** Returns the entries of a thread, and logs that they were read. @throws ApiError not_found */
export async function readIpLog(
  deps: Pick<IpLoggingDeps, 'db' | 'now' | 'ipLogging'>,
  actor: Member,
  threadId: string,
  reason: string,
): Promise<OpenIpLogEntry[]> {
  const { db, now, ipLogging } = deps
  const { id: orderId, title } = await findIpLogging(deps, threadId)
  return inTransaction(db, async (tx) => {
    const rows = await selectIpLogEntries(tx, orderId, TRACES_READ_MAX)
    const entries = rows.map((row) => ({ ...row, ...ipLogging.open(threadId, row) }))
    // The reading is logged before any entry is returned.
    await insertAudit(tx, {
      actor,
      at: new Date(now()),
      action: 'traces_read',
      threadId,
      subject: title,
      reason,
      details: { traces: entries.length },
    })
    return entries
  })
}

async function findIpLogging({ db, now }: Pick<Core, 'db' | 'now'>, threadId: string): Promise<IpLoggingRow> {
  const [order] = await selectIpLogging(db, new Date(now()), threadId)
  if (order === undefined) throw refuse('not_found', 'tracing_none')
  return order
}
