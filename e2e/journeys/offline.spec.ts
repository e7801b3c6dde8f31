/** Without a network: the notebook and the threads that were read can be opened. */
import type { Page } from '@playwright/test'
import { startThread, writePost } from '../board.ts'
import { enterThread, expect, postOf, readThrough, test } from '../test.ts'

test.use({ serviceWorkers: 'allow' })

const OLD = 'いまはサーバーに確かめられません。このブラウザに残した書き込みを表示しています。'
const rowOf = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })

/** Waits until the browser keeps the thread, and the files for opening it. */
async function waitUntilKept(page: Page, threadId: string, posts: number): Promise<void> {
  const kept = () =>
    page.evaluate(async (id) => {
      // To open a database that the page has not made yet would make an empty one.
      if (!(await indexedDB.databases()).some(({ name }) => name === 'shinobi')) return 0
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('shinobi')
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      if (!database.objectStoreNames.contains('pages')) {
        database.close()
        return 0
      }
      const page = await new Promise<{ posts: unknown[] } | undefined>((resolve, reject) => {
        const request = database.transaction('pages').objectStore('pages').get(id)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      database.close()
      const files = await caches.match('/offline.html')
      return files === undefined ? 0 : (page?.posts.length ?? 0)
    }, threadId)
  // It begins seconds after the page was loaded, and asks for each file again.
  await expect.poll(kept).toBe(posts)
  // The worker answers for this page from now on.
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

test('the notebook and a thread that was read open without a network, by their addresses and by links', async ({
  page,
  context,
  board,
}) => {
  const { _id } = await startThread(board, { title: '霧隠れの里' })
  for (let number = 2; number <= 60; number++) await writePost(board, _id, `${number}番の便り`)
  const unread = await startThread(board, { title: '知らない里' })
  await enterThread(page, board, _id)
  await waitUntilKept(page, _id, 50)
  for (const number of [50, 60]) await postOf(page, number).scrollIntoViewIfNeeded()
  // The driver scrolls up to the link before the page has seen the end.
  await expect.poll(() => readThrough(page, _id)).toBe(60)
  // What was loaded since is kept when the reader leaves.
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await waitUntilKept(page, _id, 60)

  await context.setOffline(true)
  await page.goto(`${board.url}/thread/${_id}`)
  await expect(page.getByRole('heading', { level: 1, name: '霧隠れの里' })).toBeVisible()
  await expect(page.getByText(OLD)).toBeVisible()
  await expect(postOf(page, 60)).toContainText('60番の便り')
  await expect(postOf(page, 60)).toBeInViewport()

  await page.goto(`${board.url}/notebook?list=history`)
  await rowOf(page, '霧隠れの里').getByRole('link').click()
  await expect(postOf(page, 60)).toBeInViewport()

  // What was never opened says so, and does not break.
  await page.goto(`${board.url}/thread/${unread._id}`)
  await expect(page.getByRole('main')).toContainText('接続')

  // With the network the posts of others arrive, and the words go.
  await page.goto(`${board.url}/thread/${_id}`)
  await expect(page.getByText(OLD)).toBeVisible()
  await writePost(board, _id, '霧が晴れた')
  await context.setOffline(false)
  await expect(postOf(page, 61)).toContainText('霧が晴れた')
  await expect(page.getByText(OLD)).toHaveCount(0)
})

test('a list opened without a network says that it will load by itself, and does', async ({
  page,
  context,
  board,
  complaints,
}) => {
  const { _id } = await startThread(board, { title: '雲隠れの里' })
  await enterThread(page, board, _id)
  await waitUntilKept(page, _id, 1)
  await context.setOffline(true)
  await page.goto(board.url)
  await expect(page.getByText('オフラインのため読み込めません。つながると、自動で読み込みます。')).toBeVisible()
  await context.setOffline(false)
  await expect(rowOf(page, '雲隠れの里')).toBeVisible()
  const logged = expect.stringContaining('categories could not be read')
  for (const complaint of complaints.splice(0)) expect(complaint).toEqual(logged)
})

test('the parts of a thread are kept that was opened after hundreds of calls and pictures', async ({ page, board }) => {
  const { _id } = await startThread(board, { title: '遠い里' })
  await page.goto(board.url)
  await page.evaluate(async () => {
    for (let count = 0; count < 300; count++) await fetch('/favicon.svg')
  })
  const loaded: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/assets/thread-page-')) loaded.push(request.url())
  })
  await page.getByRole('main').getByRole('link', { name: '遠い里' }).first().click()
  await waitUntilKept(page, _id, 1)
  expect(loaded).not.toEqual([])
  const lost = await page.evaluate(async (urls) => {
    const found = await Promise.all(urls.map((url) => caches.match(url)))
    return urls.filter((_, index) => found[index] === undefined)
  }, loaded)
  expect(lost).toEqual([])
})

test('what is erased from the notebook is not kept for reading either', async ({ page, context, board }) => {
  const { _id } = await startThread(board, { title: '消える里' })
  await enterThread(page, board, _id)
  await waitUntilKept(page, _id, 1)
  await page.goto(`${board.url}/notebook?list=history`)
  await rowOf(page, '消える里').getByRole('button').click()
  await expect(rowOf(page, '消える里')).toHaveCount(0)
  await context.setOffline(true)
  await page.goto(`${board.url}/thread/${_id}`)
  await expect(page.getByRole('main')).toContainText('接続')
  await expect(page.getByText(/消える里/)).toHaveCount(0)
})

test('a thread that an earlier version kept, without the log of its opener, opens too', async ({
  page,
  context,
  board,
}) => {
  const { _id } = await startThread(board, { title: '昔の里' })
  await enterThread(page, board, _id)
  await waitUntilKept(page, _id, 1)
  await page.goto(`${board.url}/notebook?list=history`)
  await expect(rowOf(page, '昔の里')).toBeVisible()
  await page.evaluate(async (id) => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await settled(indexedDB.open('shinobi'))
    const pages = database.transaction('pages', 'readwrite').objectStore('pages')
    const kept = (await settled(pages.get(id))) as { thread: { ownerActions?: unknown } }
    delete kept.thread.ownerActions
    await settled(pages.put(kept))
    database.close()
  }, _id)
  await context.setOffline(true)
  await page.goto(`${board.url}/thread/${_id}`)
  await expect(page.getByRole('heading', { level: 1, name: '昔の里' })).toBeVisible()
  await expect(postOf(page, 1)).toContainText('綺麗ですね')
})

test('a version that is installed while a thread is read is not mixed with the files of the one before', async ({
  page,
  context,
  board,
}) => {
  const { _id } = await startThread(board, { title: '替わり目の里' })
  let asks = 0
  await page.clock.install()
  await context.route('**/offline.html', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/\/assets\/[\w-]+\.js/, '/assets/first-another.js')
    await route.fulfill({ response, body })
    asks += 1
  })
  await enterThread(page, board, _id)
  // The page looks for a new version, and asks for the page to keep, whichever comes first.
  await page.clock.fastForward(5_000)
  await expect.poll(() => asks).toBeGreaterThan(1)
  // Had it been kept, it would not be asked for again with what is new.
  const before = asks
  await writePost(board, _id, '続き')
  await expect(postOf(page, 2)).toContainText('続き')
  await page.clock.fastForward(31_000)
  await expect.poll(() => asks).toBeGreaterThan(before)
  const isKept = () => page.evaluate(async () => (await caches.match('/offline.html')) !== undefined)
  expect(await isKept()).toBe(false)

  // The reader changes to the new version.
  await context.unrouteAll({ behavior: 'wait' })
  await page.reload()
  await expect(async () => {
    await page.clock.fastForward(31_000)
    expect(await isKept()).toBe(true)
  }).toPass()
})
