import type { Transaction } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'

const afterCommits = new WeakMap<Transaction<Tables>, (() => void)[]>()

/**
 * Runs work in one transaction. Visible side effects (broadcasts, cache invalidation, the search
 * index) are registered with `afterCommit` and run once the transaction is durable, and never after
 * a rollback.
 */
export async function inTransaction<T>(db: Db, work: (tx: Transaction<Tables>) => Promise<T>): Promise<T> {
  const effects: (() => void)[] = []
  const result = await db.transaction().execute((tx) => {
    afterCommits.set(tx, effects)
    return work(tx)
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
 * Runs an effect after the transaction has committed. @throws when called outside `inTransaction`
 */
export function afterCommit(tx: Transaction<Tables>, effect: () => void): void {
  const effects = afterCommits.get(tx)
  if (effects === undefined) throw new Error('afterCommit needs a transaction opened by inTransaction')
  effects.push(effect)
}
