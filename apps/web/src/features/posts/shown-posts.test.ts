import { expect, test } from 'vitest'
import { makePost, THREAD_ID } from './post-fixtures.ts'
import { postMarkup } from './post-markup.ts'
import { leaveOutShown } from './shown-posts.ts'

const inState = (content: string, isShown = true): object => {
  const post = { ...makePost(2, { content }), ...TIMES }
  if (isShown) postMarkup(post, { threadId: THREAD_ID, newest: 9, now: new Date(), answers: [] })
  return leaveOutShown(post)
}
/** The post was committed 27 ms after its `_id` was made. */
const TIMES = { _id: '01920000-0000-7abc-9000-000000000002', createdAt: '2024-09-17T12:40:53.019Z' }

test('the state of the page leaves out what the page shows of a post, and the time in its _id', () => {
  const { _id, content: _content, createdAt: _createdAt, name: _name, ...others } = makePost(2)
  expect(inState('>>1 <忍>\n&amp;')).toEqual({ ...others, rest: '27:7abc-9000-000000000002' })
})

test('a text that the markup shows differently, or not at all, is in the state', () => {
  const long = '行\n'.repeat(40)
  for (const text of ['一\r二', 'https://example.com/%E5%BF%8D', long])
    expect(inState(text)).toHaveProperty('content', text)
  expect(inState('忍', false)).toHaveProperty('content', '忍')
})
