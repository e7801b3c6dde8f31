import { afterAll, beforeAll, expect, test } from 'vitest'
import { uuidv7 } from '../lib/uuid.ts'
import { openTestDatabase, type TestDatabase } from '../testing/board.ts'
import { isOnCluster } from '../testing/citus.ts'
import { openDatabase, type Database } from './client.ts'
import { isDistributed } from './distribution.ts'
import { groupByShard, shardOf } from './shards.ts'
import { inTransaction } from './transaction.ts'

let database: TestDatabase
let narrow: Database
beforeAll(async () => {
  database = await openTestDatabase()
  narrow = openDatabase({ url: database.url, pool: 1 })
})
afterAll(async () => {
  await narrow.close()
  await database.close()
})

test.runIf(await isOnCluster())(
  'a transaction finds a shard although another, who asked before, waits for its connection',
  async () => {
    const { db } = narrow
    const threadId = uuidv7(Date.now())
    await isDistributed(db)
    let outside: ReturnType<typeof shardOf> | undefined
    const groups = await inTransaction(db, (tx) => {
      outside = shardOf(db, threadId)
      return groupByShard(tx, [{ threadId }])
    })
    expect(groups).toEqual([[{ threadId }]])
    expect(await outside).toEqual(await shardOf(db, threadId))
  },
)
