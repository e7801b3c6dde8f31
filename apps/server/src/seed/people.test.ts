import { afterEach, expect, test } from 'vitest'
import { openBoard, visit, type Board } from '../testing/board.ts'
import { seedPeople } from './people.ts'

let board: Board
afterEach(() => board.close())

test('the people of npm run dev can log in, one of them as administrator, and are created once', async () => {
  board = await openBoard()
  for (const time of [board.clock.now, board.clock.now + 1_000]) await seedPeople(board.database.db, new Date(time))
  for (const [username, isAdmin] of [
    ['kaede', false],
    ['hanzo', true],
  ] as const) {
    const answer = await visit(board).post('/auth/login', { username, password: `${username}-no-himitsu` })
    expect([answer.status, answer.body]).toMatchObject([200, { user: { name: username, isAdmin } }])
  }
})
