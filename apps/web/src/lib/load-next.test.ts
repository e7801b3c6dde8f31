import { InfiniteQueryObserver, QueryClient } from '@tanstack/react-query'
import { expect, onTestFinished, test } from 'vitest'
import { loadNext } from './load-next.ts'

const queryKey = ['list']

/** A list with its first part loaded, whose further parts are answered by the test. */
async function openList(further: (signal: AbortSignal) => Promise<number>) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const observer = new InfiniteQueryObserver(client, {
    queryKey,
    queryFn: ({ pageParam, signal }) => (pageParam === 1 ? Promise.resolve(1) : further(signal)),
    initialPageParam: 1,
    getNextPageParam: (last: number) => (last < 3 ? last + 1 : null),
  })
  onTestFinished(observer.subscribe(() => undefined))
  onTestFinished(() => client.clear())
  await expect.poll(() => observer.getCurrentResult().isSuccess).toBe(true)
  return { client, observer }
}

test('a part that a reload of the list pushed aside is asked for again', async () => {
  let asked = 0
  const { client, observer } = await openList(async (signal) => {
    asked += 1
    if (asked > 1) return 2
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled'))))
  })
  const loading = loadNext(observer.getCurrentResult())
  await expect.poll(() => asked).toBe(1)
  await client.invalidateQueries({ queryKey })
  await loading
  expect(observer.getCurrentResult().data?.pages).toEqual([1, 2])
  expect(asked).toBe(2)
})

test('a failure is thrown, and the next attempt loads one part', async () => {
  const answers = [Promise.reject(new Error('away')), Promise.resolve(2)]
  answers[0]!.catch(() => undefined)
  const { observer } = await openList(() => answers.shift()!)
  await expect(loadNext(observer.getCurrentResult())).rejects.toThrow('away')
  await loadNext(observer.getCurrentResult())
  expect(observer.getCurrentResult().data?.pages).toEqual([1, 2])
})
