import { expect, test } from 'vitest'
import { makePost, THREAD_ID } from './post-fixtures.ts'
import { postMarkup } from './post-markup.ts'
import { leaveOutShown } from './shown-posts.ts'

const inState = (content: string, isShown = true): Partial<typeof post> => {
  const post = makePost(2, { content })
  if (isShown) postMarkup(post, { threadId: THREAD_ID, newest: 9, now: new Date(), answers: [] })
  return leaveOutShown(post)
}
const post = makePost(2)

test('the state of the page leaves out the text of a post that the page shows', () => {
  expect(inState('>>1 <忍>\n&amp;')).not.toHaveProperty('content')
  expect(inState('忍')).toEqual({ ...post, content: undefined, createdAt: undefined })
})

test('a text that the markup shows differently, or not at all, is in the state', () => {
  const long = '行\n'.repeat(40)
  for (const text of ['一\r二', 'https://example.com/%E5%BF%8D', long])
    expect(inState(text)).toHaveProperty('content', text)
  expect(inState('忍', false)).toHaveProperty('content', '忍')
})
