import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { FreshLikes } from './fresh-likes.ts'

let client: QueryClient
let now: number
let fresh: FreshLikes

beforeEach(() => {
  client = new QueryClient()
  now = 0
  fresh = new FreshLikes(client, () => now)
})

/** What is kept of a thread after the server has answered with this many likes. */
async function answered(likes: number): Promise<number | undefined> {
  const queryKey = ['thread']
  await client.fetchQuery({ queryKey, queryFn: () => ({ _id: 'a', likes }) })
  return client.getQueryData<{ likes: number }>(queryKey)?.likes
}

test('an answer that does not know of a like yet counts it', async () => {
  fresh.keep('a', true, 3)
  expect(await answered(2)).toBe(3)
})

test('nor of a like that was taken back', async () => {
  fresh.keep('a', true, 3)
  fresh.keep('a', false, 2)
  expect(await answered(3)).toBe(2)
})

test('what others have done since is believed', async () => {
  fresh.keep('a', true, 3)
  expect(await answered(5)).toBe(5)
  fresh.keep('a', false, 2)
  expect(await answered(1)).toBe(1)
})

test('other threads are as they were answered', async () => {
  fresh.keep('b', true, 3)
  expect(await answered(0)).toBe(0)
})

test('later answers know, also after the clock was set back', async () => {
  fresh.keep('a', true, 3)
  now = 10_000
  expect(await answered(2)).toBe(2)
  fresh.keep('a', true, 3)
  now = -10_000
  expect(await answered(1)).toBe(1)
})

test('who has left is followed no more', async () => {
  fresh.keep('a', true, 3)
  fresh.close()
  expect(await answered(2)).toBe(2)
})
