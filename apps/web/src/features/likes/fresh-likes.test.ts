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

/** The cached count of a thread after the server has answered with this many likes. */
async function answered(likes: number): Promise<number | undefined> {
  const queryKey = ['thread']
  await client.fetchQuery({ queryKey, queryFn: () => ({ _id: 'a', likes }) })
  return client.getQueryData<{ likes: number }>(queryKey)?.likes
}

test('a stale answer without a fresh like is raised to include it', async () => {
  fresh.keep('a', true, 3)
  expect(await answered(2)).toBe(3)
})

test('a stale answer that still includes a removed like is lowered', async () => {
  fresh.keep('a', true, 3)
  fresh.keep('a', false, 2)
  expect(await answered(3)).toBe(2)
})

test('likes that others have added or removed since are kept', async () => {
  fresh.keep('a', true, 3)
  expect(await answered(5)).toBe(5)
  fresh.keep('a', false, 2)
  expect(await answered(1)).toBe(1)
})

test('counts of other threads are kept as answered', async () => {
  fresh.keep('b', true, 3)
  expect(await answered(0)).toBe(0)
})

test('answers after ten seconds are not corrected, also when the clock was set back', async () => {
  fresh.keep('a', true, 3)
  now = 10_000
  expect(await answered(2)).toBe(2)
  fresh.keep('a', true, 3)
  now = -10_000
  expect(await answered(1)).toBe(1)
})

test('a closed instance corrects no more answers', async () => {
  fresh.keep('a', true, 3)
  fresh.close()
  expect(await answered(2)).toBe(2)
})
