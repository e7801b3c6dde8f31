/** A real browser of 2ch reads and writes. */
import { expect, test } from '@playwright/test'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { messages } from '@shinobi/contract/messages'
import { openBoard, readPosts, startThread, writePost, type Board } from '../board.ts'
import { openJDim, PLACES, type JDim } from './jdim.ts'

/** Where pictures for the documentation go; none without it. */
const pictures = process.env['CLIENT_PICTURES']

let board: Board
let jdim: JDim
let base: string
test.beforeAll(async () => {
  // The third post of one visitor is refused.
  board = await openBoard({ SPAM_POSTS: '3' })
  base = board.url.replace('localhost', '127.0.0.1')
  jdim = await openJDim(base, ['general'])
})
test.afterAll(async () => {
  await jdim?.close()
  await board?.close()
})

const show = async (name: string): Promise<void> => {
  if (pictures !== undefined) await jdim.picture(`${pictures}/jdim-${name}.png`)
}

const datOf = async (key: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(`${base}/general/dat/${key}.dat`)).arrayBuffer())

/** The keys and titles of the threads, newest first. */
async function subjects(): Promise<string> {
  const answer = await fetch(`${base}/general/subject.txt`)
  return new TextDecoder('shift_jis').decode(await answer.arrayBuffer())
}

/** Writes a post as somebody who deletes it later. @returns how */
async function writeAndDelete(thread: Thread, content: string): Promise<() => Promise<void>> {
  const answer = await fetch(`${board.url}/api/threads/${thread._id}/posts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ content, name: '消す人' }),
  })
  const post = (await answer.json()) as Post
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  return async () => {
    const gone = await fetch(`${board.url}/api/threads/${thread._id}/posts/${post._id}`, {
      method: 'DELETE',
      headers: { origin: board.url, cookie },
    })
    expect(gone.status).toBe(200)
  }
}

test('JDim reads a thread and what is new in it, also after a removal, and writes replies and threads', async () => {
  const thread = await startThread(board, { title: 'JDimで読むスレッド', content: '一行目\n（　´∀｀）＜ AA' })
  await writePost(board, thread._id, '😂 >>1')
  const remove = await writeAndDelete(thread, 'あとで消える書き込み')
  await jdim.open(`${base}/general/`)
  await show('list')
  const key = /(\d{10})\.dat<>JDim/.exec(await subjects())![1]!
  const url = `${base}/test/read.cgi/general/${key}/`

  await test.step('it stores the thread as the board has it', async () => {
    await jdim.open(url)
    await untilStored(key)
    await show('thread')
  })

  await test.step('it fetches the difference, before and after a removal', async () => {
    await writePost(board, thread._id, '四つ目')
    await jdim.open(url)
    await untilStored(key)
    const before = jdim.stored('general', key)
    await remove()
    await writePost(board, thread._id, '五つ目')
    await jdim.open(url)
    // What it has stays as it was; what is behind it is in its place.
    const dat = await datOf(key)
    await expect.poll(() => jdim.stored('general', key)).toHaveLength(dat.length)
    expect(jdim.stored('general', key).subarray(before.length)).toEqual(dat.subarray(before.length))
    await show('removal')
  })

  await test.step('it writes a reply', async () => {
    await reply('hello from jdim')
    await expect.poll(async () => (await readPosts(board, thread._id)).at(-1)?.content).toBe('hello from jdim')
    await expect.poll(() => jdim.stored('general', key).includes('hello from jdim')).toBe(true)
    await show('reply')
  })

  await test.step('it opens a thread', async () => {
    await jdim.open(`${base}/general/`)
    await jdim.press('w')
    await jdim.click(PLACES.title)
    await jdim.type('a thread from jdim')
    await jdim.click(PLACES.message)
    await jdim.type('its first post')
    await jdim.press('alt+w', PLACES.message)
    await show('new-thread')
    // Yes, a thread is to be opened.
    await jdim.press('alt+y', PLACES.message)
    await expect.poll(subjects).toContain('a thread from jdim (1)')
  })

  await test.step('it is shown why a post is refused', async () => {
    await jdim.open(url)
    await reply('third from jdim')
    await show('refusal')
    // However many minutes are left of the fifteen.
    const refusals = Array.from({ length: 15 }, (_, minute) => messages.spam(minute + 1))
    await expect.poll(() => refusals.some((refusal) => jdim.log().includes(refusal))).toBe(true)
    expect((await readPosts(board, thread._id)).at(-1)?.content).toBe('hello from jdim')
  })
})

/** Waits until JDim has the thread as the board has it. */
async function untilStored(key: string): Promise<void> {
  const dat = await datOf(key)
  await expect.poll(() => jdim.stored('general', key).toString('latin1')).toBe(dat.toString('latin1'))
}

/** Writes in the thread that is open. */
async function reply(text: string): Promise<void> {
  await jdim.press('w')
  await jdim.click(PLACES.message)
  await jdim.type(text)
  await jdim.press('alt+w', PLACES.message)
}
