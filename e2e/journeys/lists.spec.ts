/** Lists of threads: links to the categories, fresh answers, and own posts. */
import type { Page } from '@playwright/test'
import { FEATURED_CATEGORIES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { startThread, writePost } from '../board.ts'
import {
  composerOf,
  expect,
  repeatUntil,
  rowOf,
  saidOnPage,
  say,
  test,
  untilPressesCount,
  untilScripted,
} from '../test.ts'

const categoriesOf = (page: Page) => page.getByRole('navigation', { name: 'カテゴリ', exact: true })
/** Visible links to the form of a new thread, besides 作成 in the wide header. */
const creators = (page: Page) =>
  page.getByRole('link', { name: 'スレッドを作成' }).or(page.getByRole('button', { name: 'スレッドを作成' }))

test('every category is linked from the lists, the busiest first, and the current one is marked @both', async ({
  page,
  ownBoard: board,
  isMobile,
}) => {
  const thread = await startThread(board, { category: 'general' })
  await writePost(board, thread._id, '賑わい')
  await page.goto(board.url)
  const links = categoriesOf(page).getByRole('link')
  await expect(links.first()).toHaveText('💬 雑談')
  // A phone shows a strip of all seven; the sidebar shows six and a link to the others.
  await expect(links).toHaveCount(isMobile ? 7 : FEATURED_CATEGORIES + 1)
  if (isMobile) {
    const last = links.last()
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport({ ratio: 1 })
    for (const control of [page.getByLabel('スレッドを検索'), page.getByLabel('並び順'), ...(await links.all())])
      expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  } else await expect(links.last()).toHaveAttribute('href', '/categories')

  await links.first().click()
  await expect(page).toHaveURL(/\/categories\/general$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('💬 雑談')
  await expect(page.getByRole('heading', { name: 'スレッド一覧' })).toBeVisible()
  const current = categoriesOf(page).locator('[aria-current=page]')
  await expect(current).toHaveText('💬 雑談')
  await expect(current).toHaveCSS('font-weight', '700')
  await expect(current).toBeInViewport({ ratio: 1 })
})

test('every screen that offers a new thread shows exactly one link to it @both', async ({ page, board, isMobile }) => {
  const thread = await startThread(board)
  for (const path of ['/', '/ranking', '/categories/politics', '/create', `/thread/${thread._id}`]) {
    await page.goto(board.url + path)
    await expect(creators(page), path).toHaveCount(1)
  }
  // Elsewhere the header has it: an icon on a phone, a word on wide screens.
  await page.goto(`${board.url}/about`)
  await expect(creators(page)).toHaveCount(isMobile ? 1 : 0)
})

test('クリア reloads the list, whether or not anything was typed @both', async ({ page, board }) => {
  const category = 'economy'
  await startThread(board, { title: '先からあるスレッド', category })
  await page.goto(`${board.url}/categories/${category}`)
  await page.waitForLoadState('networkidle')
  const clear = page.getByRole('button', { name: 'クリア' })
  await startThread(board, { title: '後から立ったスレッド', category })
  // A phone shows the button beside the field in use.
  await page.getByLabel('スレッドを検索').focus()
  await clear.click()
  await expect(rowOf(page, '後から立ったスレッド')).toBeVisible()

  const search = page.getByLabel('スレッドを検索')
  await search.fill('どこにもない言葉')
  await search.press('Enter')
  await expect(page.getByText('該当するスレッドが見つかりませんでした')).toBeVisible()
  await startThread(board, { title: 'さらに後のスレッド', category })
  await clear.click()
  await expect(search).toHaveValue('')
  await expect(rowOf(page, 'さらに後のスレッド')).toBeVisible()
})

test('an empty list offers links elsewhere', async ({ page, ownBoard: board }) => {
  await page.goto(`${board.url}/categories/rant?search=${encodeURIComponent('無')}`)
  await page.getByRole('link', { name: '検索をやめて一覧を見る' }).click()
  await expect(page).toHaveURL(/\/categories\/rant$/)
  await page.getByRole('link', { name: 'すべてのスレッドを見る' }).click()
  await expect(page).toHaveURL(`${board.url}/`)
  await page.getByRole('link', { name: 'カテゴリ一覧を見る' }).click()
  await expect(page).toHaveURL(/\/categories$/)
})

test('what a page was delivered with stays in place when its script starts late', async ({ page, board }) => {
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  await page.route(/\/assets\/empty-list-.*\.js$/, async (route) => {
    await started
    await route.continue()
  })
  const asked = page.waitForRequest(/\/assets\/empty-list-.*\.js$/)
  await page.goto(`${board.url}/categories/rant?search=${encodeURIComponent('無')}`)
  const link = page.getByRole('link', { name: '検索をやめて一覧を見る' })
  await link.evaluate((element) => (element.dataset['delivered'] = ''))
  await asked
  // A press on an element that is replaced meanwhile would be lost.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5_000 })))
  start()
  await untilPressesCount(page)
  await page.waitForLoadState('networkidle')
  await expect(link).toHaveAttribute('data-delivered')
})

test('an own post counts in the list on return, by Back and by a link', async ({ page, board }) => {
  const category = 'immigration'
  const title = '書いてから戻る'
  const thread = await startThread(board, { title, category })
  // Even if the answer is old, as from a cache in between.
  await page.route(/\/api\/categories\/immigration\/threads/, async (route) => {
    const threads = (await (await route.fetch()).json()) as object[]
    await route.fulfill({ json: threads.map((row) => ({ ...row, postCount: 1 })) })
  })
  await page.goto(`${board.url}/categories/${category}`)
  const count = page.getByRole('article').filter({ hasText: title }).getByText(/^投稿/)
  await expect(count).toHaveText('投稿 1')
  await untilScripted(page)
  await rowOf(page, title).click()
  await page.getByRole('button', { name: 'この名前で書き込む' }).click()
  await expect(composerOf(page)).toBeVisible()
  await say(page, '一言だけ')
  await expect(page.getByText('自分の書き込み').first()).toBeAttached()
  await page.goBack()
  await expect(count).toHaveText('投稿 2')
  await page.goForward()
  await writePost(board, thread._id, 'もう一言')
  await expect(page.getByText('もう一言').first()).toBeVisible()
  await page.getByRole('navigation', { name: '現在位置' }).getByRole('link', { name: /移民/ }).click()
  await expect(count).toHaveText('投稿 3')
  // The list may still be asked for once more.
  await page.unrouteAll({ behavior: 'wait' })
})

test('a list in the back/forward cache is reloaded when Back shows it again', async ({ page, board }) => {
  const thread = await startThread(board, { title: '寝かせた一覧', category: 'rant' })
  await page.goto(`${board.url}/categories/rant`)
  await page.waitForLoadState('networkidle')
  // Full page loads, as links make before the script runs.
  await page.goto(`${board.url}/thread/${thread._id}`)
  await writePost(board, thread._id, 'その間の書き込み')
  await page.goBack()
  const count = page.getByRole('article').filter({ hasText: '寝かせた一覧' }).getByText(/^投稿/)
  await expect(count).toHaveText('投稿 2')
  // A page in the back/forward cache does not run its script again.
  await writePost(board, thread._id, 'もう一つ')
  await repeatUntil(
    async () => {
      // The server's cached answer may be a second old.
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
    },
    (patience) => expect(count).toHaveText('投稿 3', patience),
  )
})

test('a new thread is announced and marked in the list of its category, once @both', async ({ page, board }) => {
  await page.goto(`${board.url}/create?category=world`)
  const title = 'いま立てたばかりの話'
  await page.getByLabel(/タイトル/).fill(title)
  await page.getByLabel(/内容/).fill('どこに現れる？')
  const told = saidOnPage(page, messages.thread_created)
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await told
  await expect(page).toHaveURL(/\/categories\/world$/)
  const row = page
    .getByRole('listitem')
    .filter({ hasText: title })
    .filter({ has: page.getByRole('article') })
  await expect(row).toBeInViewport()
  await expect(row).toContainText('新着')
  await expect(row).toHaveCSS('border-left-width', '3px')
  await page.reload()
  await expect(row).toBeVisible()
  await expect(row).not.toContainText('新着')
  await expect(page.getByText(messages.thread_created)).toHaveCount(0)
})

test('without a connection a list shows an error with a retry, and loads when the connection is back', async ({
  page,
  context,
  board,
  complaints,
}) => {
  await startThread(board, { title: '線の向こう', category: 'rant' })
  // The figure of the error is preloaded; wait for it.
  const figure = page.waitForResponse(/error-page/)
  await page.goto(`${board.url}/categories/rant`)
  await figure
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByLabel('スレッドを検索').fill('線')
  await page.getByLabel('スレッドを検索').press('Enter')
  await expect(page.getByRole('main').getByText('オフラインのため読み込めません。')).toBeVisible()
  await expect(page.getByRole('button', { name: 'もう一度読み込む' })).toBeVisible()
  await context.setOffline(false)
  await expect(rowOf(page, '線の向こう')).toBeVisible()
  // In a category the failure is logged on the console as well.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('the thread list of the category')])
})

test('a list that failed without a connection loads even if the browser reports one before it works', async ({
  page,
  context,
  board,
}) => {
  await startThread(board, { title: '圏外の山里' })
  const figure = page.waitForResponse(/error-page/)
  await page.goto(board.url)
  await figure
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByLabel('スレッドを検索').fill('圏外')
  await page.getByLabel('スレッドを検索').press('Enter')
  await expect(page.getByRole('main').getByText('オフラインのため読み込めません。')).toBeVisible()
  const UNREACHED = /boot\.js|api\/threads/
  await page.route(UNREACHED, (route) => route.abort())
  const tooEarly = page.waitForEvent('requestfailed', (request) => request.url().includes('boot.js'))
  await context.setOffline(false)
  await tooEarly
  await expect(page.getByRole('button', { name: 'もう一度読み込む' })).toBeVisible()
  await page.unroute(UNREACHED)
  // The pauses between its attempts grow.
  await expect(rowOf(page, '圏外の山里')).toBeVisible()
})

test('a search that the board refuses says why, and offers another try only where that may help', async ({
  page,
  board,
  complaints,
}) => {
  const answers = [
    { status: 400, json: { code: 'bad_search', message: messages.search_too_broad } },
    { status: 429, json: { code: 'too_many_requests', message: messages.search_limited } },
    { status: 503, json: { code: 'unavailable', message: messages.unavailable } },
  ]
  const retry = page.getByRole('button', { name: 'もう一度読み込む' })
  let asked = 0
  for (const path of ['/', '/categories/rant']) {
    await page.goto(board.url + path)
    // Before, the form asks for a page of the server.
    await untilScripted(page)
    for (const [index, { status, json }] of answers.entries()) {
      await page.unrouteAll()
      asked = 0
      await page.route(/\/threads\?.*search=/, (route) => {
        asked += 1
        return route.fulfill({ status, json })
      })
      const notice = page.getByText(messages.threads_failed)
      const told = status === 503 && path === '/' ? saidOnPage(page, messages.threads_failed) : null
      await page.getByLabel('スレッドを検索').fill(`影${index}`)
      await page.getByLabel('スレッドを検索').press('Enter')
      const said = status === 503 ? 'スレッドを読み込めませんでした。' : json.message
      await expect(page.getByRole('main').getByText(said, { exact: true })).toBeVisible()
      await expect(retry).toHaveCount(status === 400 ? 0 : 1)
      if (status === 400) expect(asked).toBe(1)
      await (told ?? expect(notice).toHaveCount(0))
    }
  }
  const logged = expect.stringContaining('the thread list of the category')
  for (const complaint of complaints.splice(0)) expect(complaint).toEqual(logged)
})
