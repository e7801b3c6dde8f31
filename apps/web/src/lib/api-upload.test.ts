import { messages } from '@shinobi/contract/messages'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { apiUpload } from './api-upload.ts'

interface Sent {
  method: string
  path: string
  authorization: string | null
}

let sent: Sent[]
let stored: Map<string, string>
let answer: (request: Sent) => { status: number; body: unknown }

/** An XMLHttpRequest whose server is `answer`; it reports progress once, at half of the bytes. */
class FakeXhr {
  readonly upload: { onprogress?: (event: object) => void } = {}
  status = 0
  responseText = ''
  onload = () => {}
  onloadend = () => {}
  readonly #request: Sent = { method: '', path: '', authorization: null }
  open(method: string, path: string) {
    Object.assign(this.#request, { method, path })
  }
  setRequestHeader(name: string, value: string) {
    if (name === 'authorization') this.#request.authorization = value
  }
  getResponseHeader() {
    return null
  }
  send() {
    sent.push(this.#request)
    this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 })
    const { status, body } = answer(this.#request)
    this.status = status
    this.responseText = JSON.stringify(body)
    this.onload()
    this.onloadend()
  }
}

beforeEach(() => {
  sent = []
  stored = new Map()
  answer = () => ({ status: 201, body: { _id: 't1' } })
  vi.stubGlobal('XMLHttpRequest', FakeXhr)
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('an upload reports its progress and returns the answer', async () => {
  const onProgress = vi.fn()
  expect(await apiUpload('/api/threads', new FormData(), { onProgress })).toEqual({ _id: 't1' })
  expect(onProgress).toHaveBeenCalledWith(0.5)
})

test('an upload that does not move for 30 seconds counts as a network failure, a slow one does not', async () => {
  vi.useFakeTimers()
  const uploads: FakeXhr['upload'][] = []
  class SilentXhr extends FakeXhr {
    onabort = () => {}
    override send() {
      uploads.push(this.upload)
    }
    abort() {
      this.onabort()
      this.onloadend()
    }
  }
  vi.stubGlobal('XMLHttpRequest', SilentXhr)
  const failure = apiUpload('/api/threads', new FormData()).catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(29_000)
  uploads[0]?.onprogress?.({ lengthComputable: true, loaded: 1, total: 2 })
  await vi.advanceTimersByTimeAsync(29_000)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await failure).toMatchObject({ code: 'network' })
  expect(vi.getTimerCount()).toBe(0)
})

test('a token of local storage is sent with calls that ask for it, and with no others', async () => {
  stored.set('jwt', 'abc')
  await apiUpload('/api/threads', new FormData(), { withStoredToken: true })
  await apiUpload('/auth/profile/image', new FormData(), { method: 'PUT' })
  expect(sent).toEqual([
    { method: 'POST', path: '/api/threads', authorization: 'Bearer abc' },
    { method: 'PUT', path: '/auth/profile/image', authorization: null },
  ])
  expect(stored.get('jwt')).toBe('abc')
})

test('an invalid token is removed, and the request is repeated with the cookies alone', async () => {
  stored.set('jwt', 'old')
  answer = ({ authorization }) =>
    authorization === null
      ? { status: 201, body: { _id: 't1' } }
      : { status: 401, body: { code: 'unauthorized', message: messages.session_expired } }
  expect(await apiUpload('/api/threads', new FormData(), { withStoredToken: true })).toEqual({ _id: 't1' })
  expect(sent.map(({ authorization }) => authorization)).toEqual(['Bearer old', null])
  expect(stored.has('jwt')).toBe(false)
})
