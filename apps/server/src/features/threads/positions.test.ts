/** What the notebook of a browser asks about the threads that it keeps. */
import { describe, expect } from 'vitest'
import { POSITIONS_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { ThreadPosition } from '@shinobi/contract/threads'
import { startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { uuidv7 } from '../../lib/uuid.ts'

const it = boardTest
const positions = (ids: readonly string[]) => `/api/threads/positions?ids=${ids.join(',')}`

describe('the positions of threads', () => {
  it('come in the order of the ids, with new posts, locks and removals at once', async ({ board, guest, admin }) => {
    const first = await startThread(guest, { title: '朝の稽古' })
    const second = await startThread(guest, { title: '夜の見張り' })
    const unknown = uuidv7(board.clock.now)
    const ask = async () =>
      (await guest.get<ThreadPosition[]>(positions([second._id, unknown, first._id, second._id]))).body
    const told = ({ title, categoryId, postCount, lastPostAt, _id }: typeof first) => ({
      ...{ _id, state: 'open', title, categoryId, postCount, lastPostAt },
    })
    expect(await ask()).toEqual([told(second), { _id: unknown, state: 'removed' }, told(first)])

    board.clock.now += 20_000
    await writeTo(visit(board), first, '参加します')
    expect((await ask())[2]).toMatchObject({ postCount: 2, lastPostAt: new Date(board.clock.now).toISOString() })

    await admin.put(`/api/admin/threads/${first._id}`, { locked: true })
    expect((await ask())[2]).toMatchObject({ state: 'locked' })
    await admin.delete(`/api/admin/threads/${second._id}`, { reason: '規約違反のため' })
    expect(await ask()).toMatchObject([
      { _id: second._id, state: 'removed' },
      { state: 'removed' },
      { state: 'locked' },
    ])
  })

  it('are told for at most a hundred threads, whose ids are ids', async ({ board, guest }) => {
    const ids = (count: number) => Array.from({ length: count }, () => uuidv7(board.clock.now))
    expect((await guest.get<ThreadPosition[]>(positions(ids(POSITIONS_MAX)))).body).toHaveLength(POSITIONS_MAX)
    const tooMany = await guest.get<{ message: string }>(positions(ids(POSITIONS_MAX + 1)))
    expect([tooMany.status, tooMany.body.message]).toEqual([400, messages.positions_too_many])
    expect((await guest.get(positions(['草']))).status).toBe(400)
    expect((await guest.get('/api/threads/positions')).body).toEqual([])
  })
})
