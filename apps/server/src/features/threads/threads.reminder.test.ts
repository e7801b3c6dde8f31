import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBoard, startThread, visit, type Board } from '../../testing/board.ts'
import { createBackground } from '../../lib/background.ts'
import { remindReaders } from './threads.reminder.ts'

let board: Board
beforeEach(async () => {
  board = await openBoard()
})
afterEach(() => board.close())

test('clients that may have missed an announcement get the state of their thread once the database is available', async () => {
  const thread = await startThread(visit(board))
  let asked = 0
  const away: KyselyPlugin = {
    transformQuery({ node }) {
      asked += 1
      if (asked < 3) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const remind = vi.fn()
  const live = { ...board.deps.live, openThreads: () => [thread._id], remind }
  const background = createBackground(board.deps.log)
  remindReaders({ db: board.database.db.withPlugin(away), live, background })
  await background.settle()
  expect(asked).toBe(3)
  expect(remind.mock.calls).toEqual([[expect.objectContaining({ threadId: thread._id, postCount: 1 })]])
})
