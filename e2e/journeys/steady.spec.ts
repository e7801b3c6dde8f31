/** What is being read stays where it is while posts and pictures load around it. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { startThread, writePost, writePosts, type Board } from '../board.ts'
import { expect, frames, hold, holdScripts, postOf, test } from '../test.ts'

/** Posts of one line to thirteen, so that none has the height that browsers expect. */
async function startUneven(board: Board, title: string, posts: number): Promise<string> {
  const { _id } = await startThread(board, { title })
  for (let from = 2; from <= posts; from += 40) {
    const lines = (number: number) => 1 + ((number * 7) % 13)
    const batch = Array.from({ length: Math.min(40, posts - from + 1) }, (_, index) => lines(from + index))
    await Promise.all(batch.map((count) => writePost(board, _id, '忍びの道は長い。\n'.repeat(count).trim())))
  }
  return _id
}

async function writePicture(board: Board, threadId: string, colour: string): Promise<void> {
  const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background: colour } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('content', '絵')
  form.set('name', '名無し')
  form.set('image', new Blob([new Uint8Array(picture)], { type: 'image/png' }), 'p.png')
  const answer = await fetch(`${board.url}/api/threads/${threadId}/posts`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(`refused: ${answer.status} ${await answer.text()}`)
}

/** Notes in every frame where a post is; the returned function gives how many pixels it moved. */
async function watch(page: Page, number: number): Promise<() => Promise<number>> {
  await page.evaluate((id) => {
    const tops: number[] = []
    Object.assign(window, { tops })
    const note = () => {
      tops.push(document.getElementById(id)!.getBoundingClientRect().top)
      requestAnimationFrame(note)
    }
    note()
  }, String(number))
  return () =>
    page.evaluate(() => {
      const { tops } = window as unknown as { tops: number[] }
      return Math.max(...tops) - Math.min(...tops)
    })
}

/** The address has been followed, and the page no longer holds its place by itself. */
async function isReady(page: Page, number: number): Promise<void> {
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect(postOf(page, number)).toBeInViewport()
  await frames(page, 10)
  await page.keyboard.press('Shift')
}

/** Scrolls at once, and lets the posts that come near be laid out. */
async function turn(page: Page, pixels: number): Promise<void> {
  await page.evaluate((top) => scrollBy({ top, behavior: 'instant' }), pixels)
  await frames(page, 4)
}

const topOf = (page: Page, id: string): Promise<number> =>
  page.evaluate((of) => document.getElementById(of)!.getBoundingClientRect().top, id)

test('posts that load above and below what is read do not move it', async ({ page, board }) => {
  const id = await startUneven(board, '長い巻物を途中から読む', 260)
  const above = await hold(page, '**/posts?before=*')
  const below = await hold(page, '**/posts?after=150')
  await page.goto(`${board.url}/thread/${id}?after=100#125`)
  await isReady(page, 125)
  const asked = page.waitForRequest('**/posts?before=*')
  await expect(async () => {
    await turn(page, -200)
    await Promise.race([asked, Promise.reject(new Error('not asked yet'))])
  }).toPass({ intervals: [0] })
  const read = await page.evaluate(
    () => [...document.querySelectorAll('[data-post]')].find((post) => post.getBoundingClientRect().top > 200)!.id,
  )
  await frames(page, 30)
  const moved = await watch(page, Number(read))
  above()
  await expect(postOf(page, 51)).toBeAttached()
  below()
  await frames(page, 60)
  expect(await moved()).toBeLessThanOrEqual(1)
})

test('going up through posts that were never on screen moves each by what was scrolled', async ({ page, board }) => {
  const id = await startUneven(board, '長い巻物を遡る', 120)
  await page.goto(`${board.url}/thread/${id}?after=50#95`)
  await isReady(page, 95)
  for (let step = 0; step < 12; step += 1) {
    const read = await page.evaluate(
      () => [...document.querySelectorAll('[data-post]')].find((post) => post.getBoundingClientRect().top > 200)!.id,
    )
    const before = await topOf(page, read)
    await turn(page, -250)
    expect(Math.abs((await topOf(page, read)) - before - 250)).toBeLessThanOrEqual(1)
  }
})

for (const scripts of ['before its scripts', 'when it is live']) {
  test(`a jump to the end of a thread shows it where it stays, ${scripts} @both`, async ({ page, board }) => {
    const { _id } = await startThread(board, { title: '短い言葉の巻物' })
    await writePosts(board, _id, 49)
    const release = await holdScripts(page)
    if (scripts === 'when it is live') release()
    await page.goto(`${board.url}/thread/${_id}`, { waitUntil: 'commit' })
    if (scripts === 'when it is live') await isReady(page, 1)
    await expect(postOf(page, 50)).toBeAttached()
    await frames(page, 10)
    const tops = await page.evaluate(async () => {
      scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' })
      const noted: number[] = []
      for (let frame = 0; frame < 10; frame += 1) {
        noted.push(document.getElementById('50')!.getBoundingClientRect().top)
        await new Promise((done) => requestAnimationFrame(done))
      }
      return noted
    })
    expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1)
    release()
  })
}

test('pictures that arrive late do not move what is read', async ({ page, board }) => {
  const { _id } = await startThread(board, { title: '絵巻物' })
  for (const colour of ['teal', 'navy', 'maroon', 'olive']) await writePicture(board, _id, colour)
  await writePost(board, _id, '絵の後の一文')
  const pictures = await hold(page, '**/images/**')
  await page.goto(`${board.url}/thread/${_id}`, { waitUntil: 'commit' })
  // Otherwise it would become live while the place is watched.
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await page.keyboard.press('Shift')
  await postOf(page, 6).scrollIntoViewIfNeeded()
  await frames(page, 30)
  const moved = await watch(page, 6)
  pictures()
  await page.evaluate(async () => {
    await Promise.all([...document.querySelectorAll<HTMLImageElement>('[data-post] img')].map((one) => one.decode()))
  })
  await frames(page, 10)
  expect(await moved()).toBeLessThanOrEqual(1)
})
