import type { Transaction } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'

interface Ending {
  readonly last: (() => Promise<void>)[]
  readonly effects: (() => void)[]
}

const endings = new WeakMap<Transaction<Tables>, Ending>()

/**
 * Runs work in one transaction. Visible side effects (broadcasts, cache invalidation, the search
 * index) are registered with `afterCommit` and run once the transaction is durable, and never after
 * a rollback.
 */
export async function inTransaction<T>(db: Db, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  const effects: (() => void)[] = []
  const result = await db.transaction().execute(async (tx) => {
    const last: Ending['last'] = []
    endings.set(tx, { last, effects })
    const done = await work(tx)
    for (const write of last) await write()
    return done
  })
  for (const effect of effects) {
    try {
      effect()
    } catch (error) {
      // The commit stands, so the failure is only reported to the process's log of unhandled
      // rejections.
      void Promise.reject(error)
    }
  }
  return result
}

/**
 * Writes at the end of the transaction, in the order of the calls: for rows that many transactions
 * change, so that these wait for each other's commits only. @throws when called outside
 * `inTransaction`
 */
export const beforeCommit = (tx: Transaction<Tables>, write: () => Promise<void>): void =>
  void endingOf(tx).last.push(write)

/**
 * Runs an effect after the transaction has committed. @throws when called outside `inTransaction`
 */
export const afterCommit = (tx: Transaction<Tables>, effect: () => void): void => void endingOf(tx).effects.push(effect)

function endingOf(tx: Transaction<Tables>): Ending {
  const ending = endings.get(tx)
  if (ending === undefined) throw new Error('only in a transaction opened by inTransaction')
  return ending
}
