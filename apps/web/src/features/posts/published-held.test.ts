import { expect, test } from 'vitest'
import { makePost } from './post-fixtures.ts'
import { publishedOf } from './published-held.ts'

test('a held post is recognised when it is published, whatever name it was written under', () => {
  const nameless = makePost(2, { name: null, content: '待っていた' })
  const withKey = makePost(3, { name: '忍◆x3k9pQ2a1z', content: '待っていた' })
  const posts = [makePost(1), nameless, withKey, makePost(4, { content: '待っていた' })]
  expect(publishedOf(posts, [{ id: nameless._id }, { id: withKey._id }])).toEqual([nameless, withKey])
  expect(publishedOf(posts, [{ id: 'still waiting' }])).toEqual([])
})
