import { once } from 'node:events'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { openBoard, startThread, visit, type Board } from '../testing/board.ts'
import { ask, type WireAnswer } from '../testing/wire.ts'
import { bytesInFlight } from './bytes-in-flight.ts'

let board: Board
let thread: Thread
beforeAll(async () => {
  board = await openBoard({})
  thread = await startThread(visit(board))
})
afterAll(() => board.close())

/** A file of the maximum size. It is no picture, which only decoding shows. */
const picture = Buffer.alloc(10 * 1024 * 1024, 'a')

async function send(count: number, from: string): Promise<WireAnswer> {
  const part = (name: string, rest: string) => `--edge\r\ncontent-disposition: form-data; name="${name}"${rest}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(
      `${part('content', '')}一言\r\n${part('name', '')}客${count}\r\n${part('image', '; filename="a.png"')}`,
    ),
    picture.subarray(0, picture.length - 1),
    Buffer.from('\r\n--edge--\r\n'),
  ])
  const headers = { 'content-type': 'multipart/form-data; boundary=edge', 'x-forwarded-for': from }
  return ask(`${await board.listen()}/api/threads/${thread._id}/posts`, { method: 'POST', headers, body })
}

it('counts the bytes of a picture until it was decoded or refused, however long it waits', async () => {
  const { images } = board.deps
  const decoding = Promise.withResolvers<void>()
  const { promise: threeWait, resolve: tellWaiting } = Promise.withResolvers<void>()
  const { save } = images
  let waiting = 0
  Object.assign(images, {
    save: async (...picture: Parameters<typeof save>) => {
      waiting += 1
      if (waiting === 3) tellWaiting()
      await decoding.promise
      return save(...picture)
    },
  })
  const under = [1, 2, 3].map((count) => send(count, '198.51.100.7'))
  await threeWait
  // They are complete, and use up the budget of their sender.
  expect((await send(4, '198.51.100.7')).status).toBe(429)
  const other = send(5, '198.51.100.8')
  decoding.resolve()
  expect((await Promise.all([...under, other])).map(({ status }) => status)).toEqual([415, 415, 415, 415])
  expect((await send(6, '198.51.100.7')).status).toBe(415)
})

it('refuses a picture before it is received, from a source of which ten were refused', async () => {
  const [source, other] = ['198.51.100.20', '198.51.100.21']
  for (let count = 0; count < 10; count += 1) expect(await begin(source, 'no picture')).toBe(415)
  expect(await begin(source, null)).toBe(429)
  expect(await begin(other, 'no picture')).toBe(415)
  const text = await visit(board, source).post(`/api/threads/${thread._id}/posts`, { content: '一言', name: '客' })
  expect(text.status).toBe(201)
})

it('refuses an empty picture file instead of posting without it; a form without a chosen file is posted', async () => {
  const from = '198.51.100.30'
  const namesOfWriters = async () =>
    (await visit(board, from).get<Post[]>(`/api/threads/${thread._id}/posts`)).body.map(({ name }) => name)
  expect(await begin(from, '', { writer: '写真家' })).toBe(400)
  expect(await namesOfWriters()).not.toContain('写真家')
  expect(await begin(from, '', { writer: '写真家', filename: '' })).toBe(201)
  expect(await namesOfWriters()).toContain('写真家')
})

it('counts what has arrived of a form, so that announced bytes keep nobody else out', async () => {
  const begun = []
  for (let count = 0; count < 13; count += 1) begun.push(await announce(`198.51.100.${40 + count}`))
  expect((await send(7, '198.51.100.60')).status).toBe(415)
  for (const form of begun) form.destroy()
})

it('gives the bytes of a form that is refused before its end back once its connection is closed', async () => {
  const [taken, given] = [vi.spyOn(bytesInFlight, 'take'), vi.spyOn(bytesInFlight, 'giveBack')]
  // Forms of other tests may be closed meanwhile.
  const from = '198.51.100.70'
  const sum = ({ mock }: typeof taken | typeof given) =>
    mock.calls.reduce((total, [source, bytes]) => (source === from ? total + bytes : total), 0)
  const tooMany = Array.from({ length: 13 }, (_, count) => part(`field${count}`, 'x')).join('')
  const form = await announce(from, tooMany)
  const [answer] = (await once(form, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(413)
  expect(sum(taken)).toBeGreaterThan(0)
  form.destroy()
  await expect.poll(() => sum(given)).toBe(sum(taken))
  taken.mockRestore()
  given.mockRestore()
})

it('cuts off a slow form of a sender with several, as soon as another sender waits for its place', async () => {
  const taken = vi.spyOn(bytesInFlight, 'take')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
    taken.mockRestore()
  })
  // Enough for two minutes.
  const begun = `--edge\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\n${'a'.repeat(2e6)}`
  const statuses: (number | undefined)[] = []
  const forms: ClientRequest[] = []
  for (let count = 0; count < 16; count += 1) {
    const form = await announce(`198.51.100.${80 + (count % 4)}`, begun)
    forms.push(form.on('response', ({ statusCode }) => statuses.push(statusCode)))
  }
  onTestFinished(() => {
    for (const form of forms) form.destroy()
  })
  const arrived = () => taken.mock.calls.reduce((sum, [, bytes]) => sum + bytes, 0)
  await expect.poll(arrived).toBe(16 * begun.length)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(statuses).toEqual([])

  const other = send(8, '198.51.100.90').then(({ status }) => status)
  let answer: number | undefined
  void other.then((status) => (answer = status))
  const nextSecond = async () => {
    await vi.advanceTimersByTimeAsync(1_000)
    return answer
  }
  // Eighty seconds of the forms at most, which have enough for ninety more.
  await expect.poll(nextSecond, { timeout: 40_000, interval: 500 }).toBe(415)
  expect(statuses).toEqual([408])
})

const part = (name: string, value: string) =>
  `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** Sends the beginning of a form of 10 MB. */
async function announce(from: string, text = part('content', '一言')): Promise<ClientRequest> {
  const form = request(`${await board.listen()}/api/threads/${thread._id}/posts`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'multipart/form-data; boundary=edge', 'content-length': String(picture.length) },
      'x-forwarded-for': from,
    },
  })
  form.on('error', () => {})
  await new Promise((resolve) => form.write(text, resolve))
  return form
}

/** Sends a form. @param image null: a picture that begins, and never ends */
async function begin(from: string, image: string | null, { filename = 'a.png', writer = '客' } = {}): Promise<number> {
  const text = '--edge\r\ncontent-disposition: form-data; name="content"\r\n\r\n一言\r\n'
  const name = `--edge\r\ncontent-disposition: form-data; name="name"\r\n\r\n${writer}\r\n`
  const head = `--edge\r\ncontent-disposition: form-data; name="image"; filename="${filename}"\r\n\r\n`
  const body = `${text}${name}${head}${image === null ? 'begun' : `${image}\r\n--edge--\r\n`}`
  const length = image === null ? 1_000_000 : Buffer.byteLength(body)
  const sent = request(`${await board.listen()}/api/threads/${thread._id}/posts`, {
    method: 'POST',
    headers: {
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': String(length),
      'x-forwarded-for': from,
    },
  })
  sent.write(body)
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (answer) => {
      sent.on('error', () => {})
      sent.destroy()
      resolve(answer.statusCode!)
    })
  })
}
