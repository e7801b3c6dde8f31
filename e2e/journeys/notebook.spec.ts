import { readFile } from 'node:fs/promises'
import { NOTEBOOK_REFRESH_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Locator, Page } from '@playwright/test'
import { test as adminTest } from '../admin-board.ts'
import { startThread, writePost, type Board } from '../board.ts'
import { enterThread, expect, repeatUntil, test } from '../test.ts'

const star = (page: Page) => page.getByRole('button', { name: 'お気に入り', exact: true })
const rowOf = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const unreadOf = async (row: Locator) => Number(await row.getAttribute('data-unread'))

/** Marks a thread as a favourite, on its page. */
async function favour(page: Page, board: Board, threadId: string): Promise<void> {
  await enterThread(page, board, threadId)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
}

/** What a browser tells a page when its tab is shown again. */
const returnToTab = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

test('a visitor follows two threads: others post, the notebook counts, and next unread leads through @both', async ({
  page,
  board,
}) => {
  const first = await startThread(board, { title: '月見の支度' })
  const second = await startThread(board, { title: '稽古の記録' })
  await favour(page, board, first._id)
  await favour(page, board, second._id)
  // It stays one after a reload.
  await page.reload()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')

  await page.clock.install()
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await expect(page).toHaveURL(/\/notebook$/)
  await expect(page.getByRole('heading', { level: 1, name: '帳面' })).toBeVisible()
  const row = rowOf(page, '稽古の記録')
  await expect(row).toBeVisible()
  await expect(rowOf(page, '月見の支度')).toBeVisible()
  const before = await unreadOf(row)
  for (const text of ['一', '二', '三']) await writePost(board, second._id, text)
  // It is up to date while it is open, and when its tab returns. A shared answer may be a second
  // old.
  await repeatUntil(
    () => page.clock.fastForward(NOTEBOOK_REFRESH_MS + 1_000),
    (patience) => expect(row).toHaveAttribute('data-unread', String(before + 3), patience),
  )
  await expect(row).toContainText(`+${before + 3}`)
  await expect(row).toContainText('投稿 4')
  for (const text of ['四', '五']) await writePost(board, first._id, text)
  await repeatUntil(
    () => returnToTab(page),
    (patience) => expect(rowOf(page, '月見の支度')).toContainText('投稿 3', patience),
  )

  await page.getByRole('link', { name: '次の未読へ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '月見の支度' })).toBeVisible()
  await page.getByRole('link', { name: '次の未読へ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '稽古の記録' })).toBeVisible()
})

test('j, k and Enter move through the rows and open one @both', async ({ page, board, isMobile }) => {
  test.skip(isMobile, 'with a keyboard')
  const older = await startThread(board, { title: '一の巻' })
  await favour(page, board, older._id)
  const newer = await startThread(board, { title: '二の巻' })
  await favour(page, board, newer._id)
  await page.goto(`${board.url}/notebook`)
  await expect(page.getByRole('list', { name: 'お気に入り' }).getByRole('listitem')).toHaveCount(2)
  const links = page.getByRole('list', { name: 'お気に入り' }).getByRole('link')
  await page.keyboard.press('j')
  await expect(links.first()).toBeFocused()
  await page.keyboard.press('j')
  await expect(links.nth(1)).toBeFocused()
  await page.keyboard.press('k')
  await expect(links.first()).toBeFocused()
  const title = (await links.first().textContent())!
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
})

test('j and k move through the rows of every list, whatever keys were pressed before @both', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(isMobile, 'with a keyboard')
  const { _id } = await startThread(board, { title: '三の巻' })
  await enterThread(page, board, _id)
  await page.keyboard.type('scroll')
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await page.getByRole('link', { name: '履歴' }).click()
  const link = page.getByRole('list', { name: '履歴' }).getByRole('link', { name: '三の巻' })
  await expect(link).toBeVisible()
  await page.keyboard.press('j')
  await expect(link).toBeFocused()
})

test('a notebook is written to a file and read in another browser, where both are kept', async ({
  page,
  board,
  browser,
}) => {
  const mine = await startThread(board, { title: '手元の巻物' })
  const theirs = await startThread(board, { title: '向こうの巻物' })
  await favour(page, board, mine._id)
  await page.goto(`${board.url}/ng`)
  await page.getByRole('textbox', { name: '言葉' }).fill('まきびし')
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '言葉「まきびし」' })).toBeVisible()
  await page.goto(`${board.url}/notebook`)
  await expect(rowOf(page, '手元の巻物')).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: '帳面を書き出す' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^shinobi-notebook-\d{4}-\d\d-\d\d\.json$/)
  const path = await download.path()
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ version: 1, threads: [{ threadId: mine._id }] })

  const context = await browser.newContext()
  const other = await context.newPage()
  await favour(other, board, theirs._id)
  await other.goto(`${board.url}/notebook`)
  await expect(rowOf(other, '向こうの巻物')).toBeVisible()
  const file = other.getByLabel('帳面のファイル')
  await file.setInputFiles(path)
  const result = other.getByRole('status').filter({ hasText: '1件のスレッドを読み込みました' })
  await expect(result).toContainText('NG設定が1件増えました。')
  await expect(rowOf(other, '手元の巻物')).toBeVisible()
  await expect(rowOf(other, '向こうの巻物')).toBeVisible()

  // What is removed later stays removed, whatever an older file says.
  await other.getByRole('button', { name: '「手元の巻物」をお気に入りから外す' }).click()
  await expect(rowOf(other, '手元の巻物')).toBeHidden()
  await file.setInputFiles(path)
  await expect(result).toContainText('新しいもの0件')
  await expect(result).not.toContainText('NG設定')
  await expect(rowOf(other, '手元の巻物')).toBeHidden()

  // A file that is something else changes nothing.
  await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('{"threads": []}') })
  await expect(other.getByRole('alert')).toContainText(messages.notebook_file_bad)
  await expect(rowOf(other, '向こうの巻物')).toBeVisible()
  await file.setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.alloc(5 * 1024 * 1024 + 1) })
  await expect(other.getByRole('alert')).toContainText(messages.notebook_file_too_large)

  await other.getByRole('button', { name: 'すべて消す' }).click()
  const dialog = other.getByRole('dialog', { name: '帳面をすべて消す' })
  await dialog.getByRole('button', { name: 'キャンセル' }).click()
  await expect(dialog).toBeHidden()
  await expect(rowOf(other, '向こうの巻物')).toBeVisible()
  await other.getByRole('button', { name: 'すべて消す' }).click()
  await dialog.getByRole('button', { name: 'すべて消す' }).click()
  await expect(other.getByText('お気に入りはまだありません。')).toBeVisible()
  await other.getByRole('link', { name: '履歴' }).click()
  await expect(other.getByText('まだ履歴はありません。')).toBeVisible()
  await context.close()
})

test('without a network a favourite is kept, and the notebook shows what it knows', async ({
  page,
  context,
  board,
}) => {
  const { _id } = await startThread(board, { title: '山奥の庵' })
  await enterThread(page, board, _id)
  await expect(star(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
  await context.setOffline(false)
  await page.goto(`${board.url}/notebook`)
  await expect(rowOf(page, '山奥の庵')).toBeVisible()
  await context.setOffline(true)
  // The first answer may still be on its way.
  await repeatUntil(
    () => returnToTab(page),
    (patience) => expect(page.getByText('いまはサーバーに確かめられません')).toBeVisible(patience),
  )
  await expect(rowOf(page, '山奥の庵')).toBeVisible()
})

test('a favourite is kept although the page ends before it is written', async ({ page, board }) => {
  const { _id } = await startThread(board, { title: '駆け抜けた巻物' })
  await page.addInitScript(() => {
    // A database that answers later than the visitor leaves.
    if (location.pathname.startsWith('/thread/')) indexedDB.open = () => ({}) as IDBOpenDBRequest
  })
  await enterThread(page, board, _id)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`${board.url}/notebook`)
  await expect(rowOf(page, '駆け抜けた巻物')).toBeVisible()
  await page.reload()
  await expect(rowOf(page, '駆け抜けた巻物')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('pendingRecords'))).toBeNull()
})

test('the notebook of a browser that keeps nothing says how it fills, and without a script why it is empty', async ({
  page,
  board,
  browser,
}) => {
  await page.goto(`${board.url}/notebook?list=threads`)
  await expect(page.getByText('自分で立てたスレッドはまだありません。')).toBeVisible()
  await expect(page.getByRole('link', { name: '自分のスレ' })).toHaveAttribute('aria-current', 'page')
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', /noindex/)
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const other = await plain.newPage()
  await other.goto(`${board.url}/notebook`)
  await expect(other.getByRole('main').locator('noscript p')).toBeVisible()
  await plain.close()
})

adminTest(
  'a thread that was removed says so in the notebook, until it is erased there',
  async ({ page, run, admin }) => {
    const { _id } = await startThread(run, { title: '消えた足跡' })
    await favour(page, run, _id)
    await admin.send('DELETE', `/api/admin/threads/${_id}`)
    await page.goto(`${run.url}/notebook`)
    const row = rowOf(page, '消えた足跡')
    await expect(row).toContainText('削除されました')
    await expect(row.getByRole('link')).toHaveCount(0)
    await row.getByRole('button', { name: '「消えた足跡」を消す' }).click()
    await expect(page.getByText('お気に入りはまだありません。')).toBeVisible()
  },
)
