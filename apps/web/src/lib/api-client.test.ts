import { messages } from '@shinobi/contract/messages'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, apiGet, apiPage, apiSend, onForbidden, provideTransport, toApiError } from './api-client.ts'

afterEach(() => vi.unstubAllGlobals())

const answerWith = (response: Response) => vi.stubGlobal('fetch', async () => response)
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('the call should have failed'),
    (error: unknown) => error as ApiError,
  )

test('a failure carries the status, the code, the Japanese message and the Retry-After of the server', async () => {
  answerWith(
    Response.json(
      { message: '操作が多すぎます。', code: 'too_many_requests' },
      { status: 429, headers: { 'retry-after': '30' } },
    ),
  )
  const error = await failureOf(apiSend('POST', '/api/threads/x/like'))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 429,
    code: 'too_many_requests',
    message: '操作が多すぎます。',
    retryAfter: 30,
    fromServer: true,
  })
})

test('without an answer the code is network and the message asks to check the connection', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const error = await failureOf(apiGet('/api/threads'))
  expect(error).toMatchObject({ status: 0, code: 'network', message: messages.network, fromServer: false })
})

test('an aborted call is distinguished from a failed network', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new DOMException('gone', 'AbortError')))
  expect(await failureOf(apiGet('/api/threads'))).toMatchObject({ code: 'aborted' })
})

test('HTML of a proxy is never shown: the message depends on the status alone', () => {
  const answer = { body: null, link: null, retryAfter: null }
  expect(toApiError({ ...answer, status: 502 })).toMatchObject({ code: 'unavailable', message: messages.unavailable })
  expect(toApiError({ ...answer, status: 413 })).toMatchObject({ message: messages.payload_too_large })
  expect(toApiError({ ...answer, status: 500 })).toMatchObject({ code: 'unexpected', message: messages.unexpected })
})

test('a page of a list takes the next and the previous path from the Link header', async () => {
  const link = '</api/threads?cursor=a%2Cb&sort=liked>; rel="next", </api/threads?before=1>; rel="prev"'
  answerWith(Response.json([1, 2], { headers: { link } }))
  expect(await apiPage('/api/threads')).toEqual({
    items: [1, 2],
    next: '/api/threads?cursor=a%2Cb&sort=liked',
    prev: '/api/threads?before=1',
  })
})

test('during server rendering, queries use the transport of their client and never fetch', async () => {
  vi.stubGlobal('fetch', () => expect.unreachable('no fetch on the server'))
  const client = new QueryClient()
  provideTransport(client, async (path) => ({ status: 200, body: { path }, link: null }))
  expect(await apiGet('/api/categories', { client })).toEqual({ path: '/api/categories' })
})

test('a refused request tells of rights that may have changed; the request that asks for them does not', async () => {
  vi.stubGlobal('fetch', async () => new Response('<h1>403 Forbidden</h1>', { status: 403 }))
  const asked: Promise<unknown>[] = []
  const stop = onForbidden(() => {
    if (asked.length < 3) asked.push(failureOf(apiSend('POST', '/auth/verify', {}, { background: true })))
  })
  await failureOf(apiGet('/api/admin/audit'))
  await asked[0]
  stop()
  expect(asked).toHaveLength(1)
})
