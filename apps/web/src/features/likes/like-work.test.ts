import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { likedQuery } from './api.ts'
import { likeMark } from './like-marks.ts'
import { LikeWork } from './like-work.tsx'

const POST = { _id: 'p1', threadId: 't1', likes: 0 }

/** Requests that the server has not answered, in order. */
let asked: { readonly method: string; readonly answer: (body: object) => void }[]

beforeEach(() => {
  asked = []
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('removeEventListener', () => {})
  // Without flames.
  vi.stubGlobal('document', { documentElement: { dataset: { motion: 'off' } } })
  vi.stubGlobal('fetch', (_path: string, { method = 'GET', signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    asked.push({ method, answer: (body) => resolve(Response.json(body)) })
    return promise
  })
})
afterEach(() => vi.unstubAllGlobals())

async function next(method: string) {
  const find = () => asked.findIndex((request) => request.method === method)
  await expect.poll(find).not.toBe(-1)
  return asked.splice(find(), 1)[0]!
}

test('a list of likes that the server read before a like does not take its mark away', async () => {
  const client = new QueryClient()
  const work = new LikeWork(client, 'u1')
  work.press(POST)
  const like = await next('POST')
  // Asked for while the like is on its way, as on a page whose member has just been confirmed.
  const list = new QueryObserver(client, likedQuery('u1', 't1'))
  const stop = list.subscribe(({ data }) => data && work.showLiked(data))
  const early = await next('GET')
  like.answer({ likes: 1 })
  await expect.poll(() => likeMark('p1')?.likes).toBeUndefined()
  early.answer({ ids: [] })
  const late = await next('GET')
  late.answer({ ids: ['p1'] })
  await expect.poll(() => list.getCurrentResult().data).toBeDefined()
  expect(likeMark('p1')).toEqual({ liked: true })
  stop()
  work.close()
  client.clear()
})
