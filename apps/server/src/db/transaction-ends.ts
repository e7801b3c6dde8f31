/**
 * `begin` is sent with the first statement of a transaction, and `commit` with the last one if it
 * says so: each answer takes a turn of the event loop, on a busy board milliseconds.
 */
import { sql, type RawBuilder } from 'kysely'
import type { QueryResult } from 'pg'

const COMMITS = '/* and commit */'
/**
 * SQL for the end of a transaction's last statement: the commit is sent with it, not once it is
 * answered. When the statement fails, the transaction is undone. No statement may follow, and
 * nothing that can fail.
 */
export const andCommit: RawBuilder<unknown> = sql.raw(COMMITS)

type Send = (text: string, values: readonly unknown[]) => Promise<QueryResult>

/** The answer when there is nothing to send. */
const NOTHING: QueryResult = { command: '', rowCount: 0, rows: [], oid: 0, fields: [] }

/** The transactions of one connection, one after the other. */
export interface TransactionEnds {
  /** Answers `begin`, which is sent with the next statement. */
  begin(): QueryResult
  /**
   * Sends a statement with what belongs to it, or gives the answer to what was sent before. All of
   * it is sent before it returns.
   */
  readonly send: Send
}

/** @param send sends although former statements are not answered yet */
export function createTransactionEnds(send: Send): TransactionEnds {
  /** Whether a transaction was begun, and none of its statements sent yet. */
  let isBeginning = false
  /** The answer to a commit that was sent with the last statement. */
  let committed: Promise<QueryResult> | null = null

  function end(text: string): Promise<QueryResult> {
    const answer = isBeginning ? Promise.resolve(NOTHING) : (committed ?? send(text, []))
    isBeginning = false
    committed = null
    return answer
  }

  async function sendWithEnds(text: string, values: readonly unknown[]): Promise<QueryResult> {
    if (committed !== null) throw new Error('the transaction is committed already')
    const begun = isBeginning ? send('begin', []) : null
    isBeginning = false
    const answer = send(text, values)
    if (text.endsWith(COMMITS)) {
      committed = send('commit', [])
      committed.catch(() => {})
    }
    const [result] = await Promise.all([answer, begun])
    return result
  }

  return {
    begin() {
      isBeginning = true
      return NOTHING
    },
    send: (text, values) => (text === 'commit' || text === 'rollback' ? end(text) : sendWithEnds(text, values)),
  }
}
