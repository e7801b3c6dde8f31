/**
 * Transactions that follow one another closely, such as those of posts on a cluster. Each is begun
 * while the one before it is committed: an answer to `begin` would wait for all that the event loop
 * does after a commit, and the first statement for that answer.
 */
import type { ControlledTransaction } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'

export interface TransactionsInTurn {
  /**
   * Runs work in a transaction; one that was begun ahead if there is one.
   * @param isNextExpected asked before the commit: whether more work waits, so that the next one is
   * begun
   */
  run<T>(work: (tx: Db) => Promise<T>, isNextExpected: () => boolean): Promise<T>
  /** Ends the one that was begun ahead: call it when no work waits. */
  release(): void
}

export function createTransactionsInTurn(db: Db): TransactionsInTurn {
  /** At most one, so that it holds one connection. */
  let next: Promise<ControlledTransaction<Tables>> | null = null

  const begin = (): Promise<ControlledTransaction<Tables>> => db.startTransaction().execute()

  function beginNext(): void {
    if (next !== null) return
    next = begin()
    // Whoever takes it gets the error.
    next.catch(() => {})
  }

  function release(): void {
    const unused = next
    next = null
    unused?.then((tx) => tx.rollback().execute()).catch(() => {})
  }

  async function run<T>(work: (tx: Db) => Promise<T>, isNextExpected: () => boolean): Promise<T> {
    const begun = next ?? begin()
    next = null
    const tx = await begun
    try {
      const result = await work(tx)
      if (isNextExpected()) beginNext()
      await tx.commit().execute()
      return result
    } catch (error) {
      // What broke this one may have broken the connection of the next one too.
      release()
      await tx.rollback().execute()
      throw error
    }
  }

  return { run, release }
}
