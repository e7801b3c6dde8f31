import { sql } from 'kysely'
import { expect } from 'vitest'
import { PAGE_TEXT_MAX } from '../../lib/page.ts'
import { startThread } from '../../testing/board.ts'
import { boardTest as it } from '../../testing/fixtures.ts'
import { readAnswers } from './answers.service.ts'

/** Almost as long as a post may be, with its anchor at the end. */
const LONG = `${'👨‍👩‍👧'.repeat(2_600)}>>1`

it('answers in a thread of long posts are all found, and its texts are read a page at a time', async ({
  board,
  guest,
}) => {
  const { _id } = await startThread(guest)
  const { db } = board.database
  await sql`
    insert into posts ("threadId", number, id, content, "createdAt", "deletedAt")
    select ${_id}::uuid, number, gen_random_uuid(), case when number % 3 = 0 then 'なし' else ${LONG} end, now(),
      case when number % 10 = 0 then now() end
    from generate_series(2, 40) as number`.execute(db)
  await db.updateTable('threads').set({ postCount: 40, revision: 40 }).where('id', '=', _id).execute()
  const expected = Array.from({ length: 39 }, (_, index) => index + 2).filter((one) => one % 3 > 0 && one % 10 > 0)

  const { body } = await guest.get(`/api/threads/${_id}/answers`)
  expect(body).toEqual({ through: 40, answers: { 1: expected } })

  const pages: number[] = []
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      const texts = result.rows.map((row) => (typeof row['content'] === 'string' ? row['content'] : ''))
      pages.push(Buffer.byteLength(texts.join('')))
      return result
    },
  })
  let turns = 0
  const inTurn = (readPage: () => Promise<void>): Promise<void> => {
    turns += 1
    return readPage()
  }
  expect(await readAnswers(watched, _id, 40, inTurn)).toEqual({ 1: expected })
  expect(Math.max(...pages)).toBeLessThanOrEqual(PAGE_TEXT_MAX + Buffer.byteLength(LONG))
  expect(turns).toBe(pages.length)
})
