import { expect, test, vi } from 'vitest'
import { ApiError } from '../../lib/api-client.ts'
import { makePost, THREAD_ID } from './post-fixtures.ts'
import { sendPost } from './send-post.ts'

const outgoing = {
  content: '草',
  name: '静かな忍者_k3x9p',
  clientPostId: '01920000-0000-7000-8000-00000000000a',
  image: null,
  asStaff: false,
  sage: false,
}
const post = makePost(2)

test('a post without an image goes over the socket alone', async () => {
  const overHttp = vi.fn()
  await expect(sendPost(THREAD_ID, outgoing, { overSocket: async () => ({ post }), overHttp })).resolves.toBe(post)
  expect(overHttp).not.toHaveBeenCalled()
})
test('without an answer it goes over HTTP once, under the same id', async () => {
  const overHttp = vi.fn(async () => post)
  await sendPost(THREAD_ID, outgoing, { overSocket: () => Promise.reject(new Error('no socket')), overHttp })
  expect(overHttp.mock.calls).toEqual([[outgoing]])
})
test('a refusal is final and carries the server’s message', async () => {
  const overHttp = vi.fn()
  const overSocket = async () => ({ error: { message: '使用できない言葉です', code: 'banned_word' as const } })
  const sending = sendPost(THREAD_ID, outgoing, { overSocket, overHttp })
  await expect(sending).rejects.toThrow(new ApiError(0, 'banned_word', '使用できない言葉です', { fromServer: true }))
  expect(overHttp).not.toHaveBeenCalled()
})
test('a full disk and a read-only board are refusals like others: HTTP is not tried after them', async () => {
  for (const code of ['disk_full', 'read_only'] as const) {
    const overHttp = vi.fn()
    const overSocket = async () => ({ error: { message: 'ただいま書き込めません。', code } })
    await expect(sendPost(THREAD_ID, outgoing, { overSocket, overHttp })).rejects.toMatchObject({ code })
    expect(overHttp).not.toHaveBeenCalled()
  }
})
test('a post refused for the events of all sockets of its address goes over HTTP, one that has to wait does not', async () => {
  const error = { message: '操作が多すぎます。', code: 'too_many_requests' as const }
  const overHttp = vi.fn(async () => post)
  await expect(sendPost(THREAD_ID, outgoing, { overSocket: async () => ({ error }), overHttp })).resolves.toBe(post)
  expect(overHttp.mock.calls).toEqual([[outgoing]])
  const overSocket = async () => ({ error: { ...error, retryAfter: 5 } })
  await expect(sendPost(THREAD_ID, outgoing, { overSocket, overHttp })).rejects.toMatchObject({ retryAfter: 5 })
  expect(overHttp).toHaveBeenCalledTimes(1)
})
test('an image always goes over HTTP', async () => {
  const overSocket = vi.fn()
  const image = new File(['x'], 'a.png', { type: 'image/png' })
  await sendPost(THREAD_ID, { ...outgoing, image }, { overSocket, overHttp: async () => post })
  expect(overSocket).not.toHaveBeenCalled()
})
test('a post refused for an expired session goes over HTTP, which can renew it, under the same id', async () => {
  const overHttp = vi.fn(async () => post)
  const overSocket = async () => ({ error: { message: 'ログインが必要です。', code: 'unauthorized' as const } })
  await expect(sendPost(THREAD_ID, outgoing, { overSocket, overHttp })).resolves.toBe(post)
  expect(overHttp.mock.calls).toEqual([[outgoing]])
})
