/** The notebook of a member on two devices, and of two members on one. */
import type { StoredNotebook } from '@shinobi/contract/notebook'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { signUp, startThread, writePost, type Board, type Member } from '../board.ts'
import { expect, logIn, test } from '../test.ts'

const star = (page: Page) => page.getByRole('button', { name: 'お気に入り', exact: true })
const rowOf = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const stored = (page: Page) => page.getByText(/^アカウントには/)

/** What a browser tells a page when its tab is shown again. */
const returnToTab = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

const POSTS = 20
/** A few of them fill a screen. */
const LONG = Array.from({ length: 8 }, (_, index) => `峠を越えて ${index}`).join('\n')

/** What the server keeps for a member. */
const entriesOf = async (member: Member) => (await member.send<StoredNotebook>('GET', '/api/notebook')).entries

async function openDevice(
  browser: Browser,
  options: BrowserContextOptions,
  board: Board,
  member: Member,
): Promise<BrowserContext> {
  const device = await browser.newContext(options)
  await logIn(device, board, member)
  return device
}

async function openNotebook(page: Page, board: Board, list = ''): Promise<void> {
  await page.goto(`${board.url}/notebook${list}`)
  await expect(page.getByRole('heading', { name: 'ほかの端末との同期' })).toBeVisible()
}

/** Opens a thread, and waits until the page is live and has noted the visit. */
async function openThread(page: Page, board: Board, threadId: string): Promise<void> {
  await page.goto(`${board.url}/thread/${threadId}`)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect.poll(() => visitedAt(page, threadId)).not.toBeNull()
}

/** When the browser noted a visit to a thread; the page has opened its database already. */
const visitedAt = (page: Page, threadId: string): Promise<number | null> =>
  page.evaluate(async (id) => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'shinobi')) return null
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await settled(indexedDB.open('shinobi'))
    const record = await settled<{ visitedAt: number | null } | undefined>(
      database.transaction('threads').objectStore('threads').get(id),
    )
    database.close()
    return record?.visitedAt ?? null
  }, threadId)

test('what a member reads on one device is read on the other', async ({ browser, context, contextOptions, board }) => {
  const member = await signUp(board)
  const { _id } = await startThread(board, { title: '峠の茶屋' })
  for (let number = 2; number <= POSTS; number += 1) await writePost(board, _id, LONG)
  await logIn(context, board, member)
  const page = await context.newPage()
  await openThread(page, board, _id)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
  await page.locator('[data-keep="8"]').scrollIntoViewIfNeeded()
  await expect(async () => {
    const [first] = await entriesOf(member)
    expect(first?.entry.readThrough).toBeGreaterThanOrEqual(8)
    expect(first?.entry.favouriteAt).not.toBeNull()
  }).toPass()
  const other = await openDevice(browser, contextOptions, board, member)
  const theirs = await other.newPage()
  await openNotebook(theirs, board)
  const row = rowOf(theirs, '峠の茶屋')
  // The last of what was read may still be on its way.
  await expect(async () => {
    const [first] = await entriesOf(member)
    await returnToTab(theirs)
    await expect(row).toHaveAttribute('data-unread', String(POSTS - first!.entry.readThrough), { timeout: 1_000 })
  }).toPass()
  expect(Number(await row.getAttribute('data-unread'))).toBeGreaterThan(0)
  await expect(stored(theirs)).toContainText('1件のスレッド')
  await row.getByRole('link').click()
  await expect(theirs.getByText('ここまで読んだ')).toBeInViewport()
  await expect(star(theirs)).toHaveAttribute('aria-pressed', 'true')

  // What is removed on one is removed on the other.
  await star(theirs).click()
  await expect(star(theirs)).toHaveAttribute('aria-pressed', 'false')
  await expect(async () => expect((await entriesOf(member))[0]!.entry.favouriteAt).toBeNull()).toPass()
  await openNotebook(page, board)
  await expect(rowOf(page, '峠の茶屋')).toBeHidden()
  await expect(page.getByText('お気に入りはまだありません。')).toBeVisible()
  await other.close()

  await expect(stored(page)).toContainText('1件のスレッド')
  await page.getByRole('button', { name: 'アカウントの記録を消す' }).click()
  const dialog = page.getByRole('dialog', { name: 'アカウントの記録を消す' })
  await dialog.getByRole('button', { name: '記録を消す' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('アカウントの記録を消しました。')).toBeVisible()
  await expect(stored(page)).toContainText('0件のスレッド')
  expect(await entriesOf(member)).toEqual([])
  // The browser keeps its own.
  await openNotebook(page, board, '?list=history')
  await expect(rowOf(page, '峠の茶屋')).toBeVisible()
})

test('two members of one browser keep their accounts apart', async ({ context, board }) => {
  const [first, second] = [await signUp(board), await signUp(board)]
  const before = await startThread(board, { title: '名乗る前の巻' })
  const mine = await startThread(board, { title: '一人目の巻' })
  const theirs = await startThread(board, { title: '二人目の巻' })
  const page = await context.newPage()
  await page.goto(`${board.url}/thread/${before._id}`)
  await expect(page.getByRole('dialog', { name: 'ニックネームを決める' })).toBeVisible()
  await expect.poll(() => visitedAt(page, before._id)).not.toBeNull()
  // What is read in an open tab after a log-in in another one is the member's.
  await page.goto('about:blank')
  const idsOf = async (member: Member) => (await entriesOf(member)).map(({ entry }) => entry.threadId)

  await logIn(context, board, first)
  await openThread(page, board, mine._id)
  await expect(async () => expect(await idsOf(first)).toEqual([mine._id])).toPass()
  await logIn(context, board, second)
  await openThread(page, board, theirs._id)
  await expect(async () => expect(await idsOf(second)).toEqual([theirs._id])).toPass()
  expect(await idsOf(first)).toEqual([mine._id])

  // Only when a member asks for it.
  await openNotebook(page, board, '?list=history')
  await expect(rowOf(page, '名乗る前の巻')).toBeVisible()
  await page.getByRole('button', { name: 'この帳面をアカウントに加える' }).click()
  await expect(page.getByText('この帳面をアカウントに加えました。')).toBeVisible()
  await expect(stored(page)).toContainText('3件のスレッド')
})

test('a browser that does not synchronise sends nothing', async ({ context, board }) => {
  const member = await signUp(board)
  const quiet = await startThread(board, { title: '静かな巻' })
  const told = await startThread(board, { title: '伝える巻' })
  await logIn(context, board, member)
  const page = await context.newPage()
  await openNotebook(page, board)
  const onOff = page.getByRole('switch', { name: 'このブラウザで同期する' })
  await onOff.click()
  await expect(onOff).toHaveAttribute('aria-checked', 'false')
  await openThread(page, board, quiet._id)
  await openNotebook(page, board, '?list=history')
  await expect(rowOf(page, '静かな巻')).toBeVisible()
  await expect(onOff).toHaveAttribute('aria-checked', 'false')
  await onOff.click()
  await expect(onOff).toHaveAttribute('aria-checked', 'true')
  await openThread(page, board, told._id)
  await expect(async () => {
    expect((await entriesOf(member)).map(({ entry }) => entry.threadId)).toEqual([told._id])
  }).toPass()
})

test('without a network changes wait, and are sent when it returns', async ({ context, board }) => {
  const member = await signUp(board)
  const { _id } = await startThread(board, { title: '霧の巻' })
  await logIn(context, board, member)
  const page = await context.newPage()
  await openThread(page, board, _id)
  await expect(async () => expect(await entriesOf(member)).toHaveLength(1)).toPass()
  await context.setOffline(true)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
  await context.setOffline(false)
  await expect(async () => expect((await entriesOf(member))[0]!.entry.favouriteAt).not.toBeNull()).toPass()
})
