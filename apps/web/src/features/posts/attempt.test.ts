import { expect, test } from 'vitest'
import { EMPTY_DRAFT, attemptFor } from './attempt.ts'

const image = (name: string) => new File(['x'], name, { type: 'image/png', lastModified: 1 })

test('sending the same again keeps the id, so that the server takes it once', () => {
  const first = attemptFor(EMPTY_DRAFT, '草', 'a', null)
  expect(attemptFor({ content: '草', ...first }, '草', 'a', null)).toEqual(first)
  const picture = attemptFor(EMPTY_DRAFT, '', 'a', image('a.png'))
  expect(attemptFor({ content: '', ...picture }, '', 'a', image('a.png'))).toEqual(picture)
})

test('another text, name or image is another post', () => {
  const first = attemptFor(EMPTY_DRAFT, '草', 'a', null)
  const draft = { content: '草', ...first }
  for (const other of [
    attemptFor(draft, '草！', 'a', null),
    attemptFor(draft, '草', 'b', null),
    attemptFor(draft, '草', 'a', image('a.png')),
  ]) {
    expect(other.attemptId).not.toBe(first.attemptId)
  }
})
