/**
 * Temporary logging (terms, article 3): while an administrator's order is active for a thread, the
 * address and user agent of each post are stored, encrypted. They are deleted when the order ends.
 * Nothing else on the board stores an address.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import type { Origin, Visitor } from '../../http/visitor.ts'
import { createPoller } from '../../lib/poller.ts'
import { createSecretBox } from '../../lib/secret-box.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import {
  deleteIpLogEntries,
  endIpLoggingIn,
  insertIpLogEntry,
  selectEndedWithEntries,
  selectRunningIpLogging,
  selectIpLogEntry,
  type RunningIpLogging,
  type IpLogEntryRow,
} from './ip-logging.queries.ts'

export interface IpLogging {
  /** Stores the visitor's origin if the thread is logged. Await it before the post is written. */
  record(visitor: Visitor, threadId: string, postId: string): Promise<void>
  /** Decrypts an entry. @throws when it was sealed with another secret, or for another post */
  open(threadId: string, entry: Pick<IpLogEntryRow, 'postId' | 'sealed'>): Origin
  /**
   * The address a post came from, to ban its network without showing it to anybody; null when the
   * thread is not logged.
   */
  findAddress(threadId: string, postId: string): Promise<string | null>
  /**
   * Ends an order, and deletes its entries.
   * @param by null when it expired
   * @returns false when it was ended before
   */
  end(orderId: string, by: Pick<Member, 'id' | 'name'> | null): Promise<boolean>
  /** Ends expired orders, and deletes entries of ended orders that a crash has left. */
  sweep(): Promise<void>
  close(): Promise<void>
}

export interface IpLoggingOptions {
  readonly db: Db
  readonly secret: string
  readonly now: () => number
  readonly log: FastifyBaseLogger
  readonly revisions: Revisions
}

/** Expired orders end well within a minute. */
const SWEEP_EVERY_MS = 20_000
/** Rows deleted per statement: few enough that no post waits noticeably. */
const DELETED_AT_ONCE = 5_000
/** Browsers can send user agents of any length. */
const AGENT_MAX = 500

export async function followIpLogging({ db, secret, now, log, revisions }: IpLoggingOptions): Promise<IpLogging> {
  const { seal, open } = createSecretBox(secret, 'traces')
  const contextOf = (threadId: string, postId: string): string => `${threadId} ${postId}`
  let running: ReadonlyMap<string, RunningIpLogging> = new Map()
  await revisions.follow('tracing', async () => {
    running = new Map((await selectRunningIpLogging(db)).map((order) => [order.threadId, order]))
  })

  const openEntry: IpLogging['open'] = (threadId, { postId, sealed }) =>
    JSON.parse(open(sealed, contextOf(threadId, postId))) as Origin

  async function end(orderId: string, by: Pick<Member, 'id' | 'name'> | null): Promise<boolean> {
    const at = new Date(now())
    const ended = await inTransaction(db, async (tx) => {
      const order = await endIpLoggingIn(tx, orderId, at)
      if (order === undefined) return false
      const { threadId, categoryId, title } = order
      await insertAudit(tx, { actor: by, at, action: 'tracing_end', threadId, categoryId, subject: title })
      await revisions.raise(tx, 'tracing')
      return true
    })
    await forget(orderId)
    return ended
  }

  async function forget(orderId: string): Promise<void> {
    while ((await deleteIpLogEntries(db, orderId, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
  }

  async function sweep(): Promise<void> {
    for (const { id, endsAt } of await selectRunningIpLogging(db)) if (endsAt.getTime() <= now()) await end(id, null)
    for (const id of await selectEndedWithEntries(db)) await forget(id)
  }

  const poller = createPoller({ name: 'the orders of IP logging', everyMs: SWEEP_EVERY_MS, poll: sweep, log })

  return {
    async record({ origin }, threadId, postId) {
      const order = running.get(threadId)
      const createdAt = new Date(now())
      if (order === undefined || order.endsAt <= createdAt) return
      const text = JSON.stringify({ address: origin.address, agent: origin.agent.slice(0, AGENT_MAX) } satisfies Origin)
      const sealed = seal(text, contextOf(threadId, postId))
      await insertIpLogEntry(db, { threadId, postId, orderId: order.id, sealed, createdAt })
    },
    open: openEntry,
    async findAddress(threadId, postId) {
      const sealed = await selectIpLogEntry(db, { threadId, postId, at: new Date(now()) })
      return sealed === undefined ? null : openEntry(threadId, { postId, sealed }).address
    },
    end,
    sweep,
    close: poller.close,
  }
}
