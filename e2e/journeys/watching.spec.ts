import type { Page } from '@playwright/test'
import { readPosts, startThread, writePost } from '../board.ts'
import { composerOf, enterThread, expect, hold, postOf, repeatUntil, say, test } from '../test.ts'

const banner = (page: Page) => page.getByRole('banner').getByRole('link', { name: /^帳面/ })
const rows = (page: Page) => page.getByRole('list', { name: '矢文' }).getByRole('listitem')
/** What a browser tells a page when its tab is shown again. */
const returnToTab = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

test('an answer to a visitor is told in the header, the title and the list, and to nobody else @both', async ({
  page,
  board,
  browser,
}) => {
  const thread = await startThread(board, { title: '月見の支度' })
  await enterThread(page, board, thread._id)
  await say(page, '団子は何個にしますか')
  await expect(postOf(page, 2)).toContainText('団子は何個にしますか')
  // The post may be shown before its answer has come, by which the page knows it as its own.
  await expect(composerOf(page)).toHaveValue('')
  await page.clock.install()
  await page.goto(`${board.url}/about`)

  const other = await (await browser.newContext()).newPage()
  await enterThread(other, board, thread._id)
  await say(other, '>>2 十五個です')
  await expect(postOf(other, 3)).toContainText('十五個です')

  // Every page tells it, within a minute.
  await repeatUntil(
    () => page.clock.fastForward(61_000),
    (patience) => expect(banner(page)).toHaveAccessibleName(/新しい矢文 1/, patience),
  )
  await expect(page).toHaveTitle(/^\(1\) /)
  await banner(page).click()
  await page.getByRole('link', { name: /^矢文/ }).click()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('>>2 に返信がありました（3）')
  await expect(rows(page)).toContainText('月見の支度')
  await rows(page).getByRole('link').click()
  await expect(postOf(page, 3)).toContainText('十五個です')
  await expect(page).not.toHaveTitle(/^\(/)
  await expect(banner(page)).not.toHaveAccessibleName(/新しい矢文/)
  await page.goto(`${board.url}/notebook?list=alerts`)
  await expect(rows(page)).toHaveAttribute('data-read', 'true')

  await other.goto(`${board.url}/notebook?list=alerts`)
  await expect(other.getByText('まだ矢文はありません。')).toBeVisible()
})

test('a watched thread and a word are told, until everything is marked as read', async ({ page, board }) => {
  const thread = await startThread(board, { title: '稽古の記録' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  const watch = page.getByRole('button', { name: '見張る' })
  await watch.click()
  await expect(watch).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`${board.url}/notebook?list=alerts`)
  const field = page.getByLabel('新しいスレッドを見張る言葉')
  await field.fill('ﾗｰﾒﾝ')
  await page.getByRole('button', { name: '加える' }).click()
  await expect(page.getByRole('list', { name: '見張る言葉' })).toContainText('ﾗｰﾒﾝ')
  // Nothing from before is news, and the first look has to end before something is.
  const looked = page.waitForResponse(/\/api\/threads\?sort=newest/)
  await returnToTab(page)
  await looked
  await expect(page.getByText('まだ矢文はありません。')).toBeVisible()

  await writePost(board, thread._id, '一')
  await writePost(board, thread._id, '二')
  await startThread(board, { title: '夜のらーめん部' })
  const wordRow = rows(page).filter({ hasText: '夜のらーめん部' })
  await repeatUntil(
    () => returnToTab(page),
    async (patience) => {
      await expect(wordRow).toContainText('「ﾗｰﾒﾝ」のスレッドが立ちました', patience)
      await expect(rows(page).filter({ hasText: '稽古の記録' })).toContainText('新しい書き込みが2件あります', patience)
    },
  )
  await page.getByRole('button', { name: 'すべて既読にする' }).click()
  await expect(page.getByText('すべて読みました。')).toBeVisible()
  await expect(banner(page)).not.toHaveAccessibleName(/新しい矢文/)
  await page.reload()
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toHaveAttribute('data-read', 'true')
})

test('a thread that is watched and left at once is told', async ({ page, board }) => {
  const thread = await startThread(board, { title: '早番の見回り' })
  // The page does not know yet what was read, and records no visit.
  const release = await hold(page, '**/assets/database-*.js')
  await page.goto(`${board.url}/thread/${thread._id}`)
  const watch = page.getByRole('button', { name: '見張る' })
  await watch.click()
  await expect(watch).toHaveAttribute('aria-pressed', 'true')
  await page.goto(`${board.url}/notebook?list=alerts`)
  release()
  await writePost(board, thread._id, '異状なし')
  await repeatUntil(
    () => returnToTab(page),
    (patience) => expect(rows(page)).toContainText('新しい書き込みが1件あります', patience),
  )
})

test('an answer that the visitor hides is not told, and a deleted one is told no more', async ({
  page,
  board,
  browser,
}) => {
  const thread = await startThread(board, { title: '庭の手入れ' })
  await enterThread(page, board, thread._id)
  await say(page, '松の枝ぶりはどうですか')
  await expect(postOf(page, 2)).toContainText('松の枝ぶりはどうですか')
  // The post may be shown before its answer has come, by which the page knows it as its own.
  await expect(composerOf(page)).toHaveValue('')
  await page.goto(`${board.url}/ng`)
  await page.getByRole('radio', { name: '言葉', exact: true }).check()
  await page.getByRole('textbox', { name: '言葉' }).fill('売ります')
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '言葉「' })).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await enterThread(other, board, thread._id)
  await say(other, '>>2 鋏を売ります')
  await expect(postOf(other, 3)).toContainText('鋏を売ります')
  await say(other, '>>2 見事です')
  await expect(postOf(other, 4)).toContainText('見事です')

  await page.goto(`${board.url}/notebook?list=alerts`)
  // What the list asks for may be a second old.
  await repeatUntil(
    () => returnToTab(page),
    (patience) => expect(rows(page)).toContainText('（4）', patience),
  )
  await expect(rows(page)).toHaveCount(1)

  const [, , , { _id: postId } = { _id: '' }] = await readPosts(board, thread._id)
  const path = `${board.url}/api/threads/${thread._id}/posts/${postId}`
  const answer = await other.request.delete(path, { headers: { origin: board.url } })
  expect(answer.ok()).toBe(true)
  await repeatUntil(
    () => returnToTab(page),
    (patience) => expect(rows(page)).toHaveCount(0, patience),
  )
})
