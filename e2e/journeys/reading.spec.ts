import type { Page } from '@playwright/test'
import { messages } from '@shinobi/contract/messages'
import { startThread, writePost, writePosts } from '../board.ts'
import {
  composerOf,
  enterThread,
  expect,
  frames,
  openMenu,
  postOf,
  postsOf,
  repeatUntil,
  rowOf,
  scrollUntilThere,
  test,
  untilScripted,
} from '../test.ts'

test('an anchor shows the post it refers to on hover or tap, and that post shows its answers @both', async ({
  page,
  board,
  isMobile,
}) => {
  const thread = await startThread(board, { content: '問いを立てる' })
  await writePost(board, thread._id, '>>1 答える')
  await writePost(board, thread._id, '＞＞１－２ 両方に答える')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 1).getByRole('button', { name: /^返信 2/ })).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'ニックネームを決める' })).toBeVisible()
  const anchor = postOf(page, 2).getByRole('link', { name: '>>1', exact: true }).first()
  const slip = page.locator('[data-popover], [role=tooltip]').filter({ hasText: '問いを立てる' }).first()
  if (isMobile) await anchor.tap()
  else await anchor.hover()
  await expect(slip).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(slip).toBeHidden()
})

test('Escape closes the post that an anchor shows, pressed in the moment in which it appears @both', async ({
  page,
  board,
  isMobile,
}) => {
  const thread = await startThread(board, { content: '問いを立てる' })
  await writePost(board, thread._id, '>>1 答える')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await untilScripted(page)
  await page.evaluate(() => {
    const observer = new MutationObserver(() => {
      if (document.querySelector('[data-popover]') === null) return
      observer.disconnect()
      document.documentElement.dataset['pressed'] = ''
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    })
    observer.observe(document.body, { childList: true, subtree: true })
  })
  const anchor = postOf(page, 2).getByRole('link', { name: '>>1', exact: true })
  if (isMobile) await anchor.tap()
  else await anchor.hover()
  await expect(page.locator('html[data-pressed]')).toBeAttached()
  await expect(page.locator('[data-popover]')).toHaveCount(0)
})

test('an anchor to a future number becomes a link when that post exists', async ({ page, board }) => {
  const thread = await startThread(board, { content: '>>3 が楽しみ。>>9999 は遠い' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  await expect(postOf(page, 1).getByText('>>9999')).toBeVisible()
  await expect(postOf(page, 1).getByRole('link', { name: /^>>/ })).toHaveCount(0)
  await writePost(board, thread._id, '二つ目')
  await writePost(board, thread._id, '三つ目')
  await expect(postOf(page, 1).getByRole('link', { name: '>>3', exact: true }).first()).toBeVisible()
  await expect(postOf(page, 1).getByRole('link', { name: '>>9999' })).toHaveCount(0)
})

test('the focus goes along to the post that an anchor or a number leads to, but not from a text @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { content: '>>3 と >>58' })
  await writePosts(board, thread._id, 60)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  const anchor = (text: string) => postOf(page, 1).getByRole('link', { name: text, exact: true }).first()
  await anchor('>>3').press('Enter')
  await expect(postOf(page, 3)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(postOf(page, 3).locator(':focus')).toHaveCount(1)
  // On a page that is not loaded.
  await anchor('>>58').press('Enter')
  await expect(postOf(page, 58)).toBeFocused()

  const tools = page.getByRole('dialog', { name: 'このスレッド' })
  const jump = async (number: number) => {
    await page.getByRole('button', { name: '抽出・移動' }).click()
    await tools.getByLabel('番号').fill(String(number))
    await tools.getByLabel('番号').press('Enter')
    await expect(tools).toBeHidden()
    await expect(postOf(page, number)).toBeInViewport()
  }
  await jump(52)
  await expect(postOf(page, 52)).toBeFocused()
  await composerOf(page).fill('書きかけ')
  await jump(60)
  await expect(composerOf(page)).toBeFocused()
})

test('the link of a post is copied even without the clipboard API, and the layout does not shift @both', async ({
  page,
  board,
}) => {
  // As over plain http in a home network.
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeVisible()
  const menu = await openMenu(page, 1)
  const link = menu.getByRole('link', { name: /リンクをコピー/ })
  // The menu has its place when it can be pressed.
  await link.click({ trial: true })
  const before: unknown = await link.evaluate((element) => element.getBoundingClientRect().toJSON())
  // It is said for a moment, and its place is measured in that moment.
  const said = page.waitForFunction(() => {
    const words = [...document.querySelectorAll('[aria-live]')].find((part) => part.textContent === 'コピーしました。')
    return words?.checkVisibility() === true ? words.closest('a')!.getBoundingClientRect().toJSON() : null
  })
  await link.click()
  expect(await (await said).jsonValue()).toEqual(before)
  expect(page.url()).toBe(`${board.url}/thread/${thread._id}`)
})

test('a long thread is read without a click, downwards and from its end upwards @both', async ({ page, board }) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 130; index += 1) await writePost(board, thread._id, `第${index}段`)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postsOf(page)).toHaveCount(50)
  await scrollUntilThere(page, postOf(page, 130))

  const isWhole = async (number: number) => {
    const header = (await page.getByRole('banner').boundingBox())!
    const post = (await postOf(page, number).boundingBox())!
    const dock = (await page.locator('[data-dock]').boundingBox())!
    return post.y >= header.y + header.height && post.y + post.height <= dock.y
  }
  await page.goto(`${board.url}/thread/${thread._id}#100`)
  await expect.poll(() => isWhole(100)).toBe(true)

  // A link to a post leads to that post, not to the last position in this window; a reload stays
  // there.
  await page.goto('about:blank')
  await page.goto(`${board.url}/thread/${thread._id}#40`)
  // The page is there before its scripts, and they go there once more.
  await expect(page.getByText('自動更新中')).toBeVisible()
  await expect.poll(() => isWhole(40)).toBe(true)
  const topOf = async (number: number) => Math.round((await postOf(page, number).boundingBox())!.y)
  // The position is held only until the reader presses something.
  await page.keyboard.press('Shift')
  await postOf(page, 60).scrollIntoViewIfNeeded()
  await frames(page, 4)
  const before = await topOf(60)
  await page.reload()
  await expect(postOf(page, 60)).toBeInViewport()
  await expect.poll(async () => Math.abs((await topOf(60)) - before)).toBeLessThan(40)
})

test('a list keeps its scroll position on the way back @both', async ({ page, board }) => {
  const category = 'rant'
  for (let index = 1; index <= 70; index += 1) await startThread(board, { title: `吐き出し${index}`, category })
  await page.goto(`${board.url}/categories/${category}`)
  await scrollUntilThere(page, rowOf(page, '吐き出し5'))
  const row = rowOf(page, '吐き出し12')
  await row.scrollIntoViewIfNeeded()
  await frames(page, 4)
  const place = async () => Math.round((await row.boundingBox())!.y)
  const before = await place()
  await row.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('吐き出し12')
  await page.goBack()
  await expect(row).toBeInViewport()
  await expect.poll(async () => Math.abs((await place()) - before)).toBeLessThan(40)
})

test('search, order and clear are in the address', async ({ page, board }) => {
  await startThread(board, { title: '手裏剣の研ぎ方について', content: '砥石は何番から？', category: 'economy' })
  await startThread(board, { title: '鎖帷子の手入れ', content: 'ｼｭﾘｹﾝも磨く', category: 'economy' })
  await page.goto(`${board.url}/categories/economy`)
  // Before, Enter loads a page, in which a chosen order has no effect at first.
  await untilScripted(page)
  const search = page.getByLabel('スレッドを検索')
  await repeatUntil(
    async () => {
      await search.fill('しゅりけん')
      await search.press('Enter')
    },
    (patience) => expect(rowOf(page, '鎖帷子の手入れ')).toBeVisible(patience),
  )
  await expect(page).toHaveURL(/search=/)
  await expect(rowOf(page, '手裏剣の研ぎ方について')).toBeHidden()
  await page.getByLabel('並び順').selectOption('oldest')
  await expect(page).toHaveURL(/sort=oldest/)
  await search.fill('どこにもない言葉')
  await search.press('Enter')
  await expect(page.getByText('該当するスレッドが見つかりませんでした')).toBeVisible()
  await page.getByRole('button', { name: 'クリア' }).click()
  await expect(search).toHaveValue('')
  await expect(rowOf(page, '手裏剣の研ぎ方について')).toBeVisible()
})

test('text typed while a list is loading is kept', async ({ page, board }) => {
  await startThread(board, { title: '撒菱の値段', category: 'economy' })
  await page.goto(`${board.url}/categories/economy`)
  const search = page.getByLabel('スレッドを検索')
  await repeatUntil(
    async () => {
      await page.getByLabel('並び順').selectOption('newest')
      await page.getByLabel('並び順').selectOption('liked')
    },
    (patience) => expect(page).toHaveURL(/sort=liked/, patience),
  )
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/.*sort=oldest/, async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByLabel('並び順').selectOption('oldest')
  await search.fill('まきびし')
  held.resolve()
  await expect(page).toHaveURL(/sort=oldest/)
  await expect(rowOf(page, '撒菱の値段')).toBeVisible()
  await expect(search).toHaveValue('まきびし')
  await search.press('Enter')
  await expect(page).toHaveURL(/search=/)
  await page.goBack()
  await expect(search).toHaveValue('')
  await page.goForward()
  await expect(search).toHaveValue('まきびし')
})

test('the menu of a phone links to every screen and closes again', async ({ page, board, isMobile }) => {
  test.skip(!isMobile, 'wide screens show the links')
  await page.goto(board.url)
  // Before the script runs, a link to the end of the page is in its place.
  const button = page.getByRole('button', { name: 'メニュー' })
  await button.tap()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('link', { name: 'カテゴリ' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await button.tap()
  await drawer.getByRole('link', { name: '案内' }).tap()
  await expect(page).toHaveURL(/\/about$/)
})

/** Opens a page, and waits for what it loads to be shown without a network. */
async function openWithErrorScreen(page: Page, url: string): Promise<void> {
  const screen = page.waitForResponse(/error-page/)
  await page.goto(url)
  await screen
  await page.waitForLoadState('networkidle')
}

/** Goes offline on the front page, requests another page, and sees the error. */
async function askWithoutALine(page: Page, url: string): Promise<void> {
  await openWithErrorScreen(page, url)
  await page.context().setOffline(true)
  await page.getByRole('contentinfo').getByRole('link', { name: '案内' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(messages.network)
}

test('a page requested offline shows an error, and loads when the connection is back', async ({
  page,
  context,
  board,
}) => {
  await askWithoutALine(page, board.url)
  await page.getByRole('button', { name: 'もう一度試す' }).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(messages.network)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('忍板について')

  // So does a thread, whose screen is loaded, and its posts are not.
  const [one, other] = [await startThread(board), await startThread(board, { title: '電波の届かぬ里' })]
  await openWithErrorScreen(page, `${board.url}/thread/${one._id}`)
  await page.getByRole('link', { name: '雑談' }).click()
  await expect(rowOf(page, other.title)).toBeVisible()
  await context.setOffline(true)
  await rowOf(page, other.title).click()
  await expect(page.getByRole('main').getByRole('alert')).toContainText(messages.network)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(other.title)
})

test('a page loads even if the browser reports the connection before it works', async ({ page, context, board }) => {
  await askWithoutALine(page, board.url)
  await page.route(/boot\.js/, (route) => route.abort())
  const tooEarly = page.waitForEvent('requestfailed')
  await context.setOffline(false)
  await tooEarly
  await expect(page.getByRole('main').getByRole('alert')).toContainText(messages.network)
  await page.unroute(/boot\.js/)
  // The pauses between its attempts grow.
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('忍板について')
})

test('where even the error screen cannot load, a plain link leads on', async ({ page, board }) => {
  await page.route(/assets\/(error|about)-page/, (route) => route.abort())
  // Requested once the page runs; before that the browser itself would follow the link.
  const screen = page.waitForEvent('requestfailed', (request) => request.url().includes('error-page'))
  await page.goto(board.url)
  await screen
  await page.getByRole('contentinfo').getByRole('link', { name: '案内' }).click()
  const alert = page.getByRole('main').getByRole('alert')
  await expect(alert).toContainText('ページを読み込めませんでした')
  await page.unroute(/assets\/(error|about)-page/)
  await alert.getByRole('link', { name: 'もう一度試す' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('忍板について')
  expect(new URL(page.url()).pathname).toBe('/about')
})

test('返信 n counts the answers of the whole thread, and goes on counting where they are not loaded', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { content: '三つ聞きたい' })
  await writePosts(board, thread._id, 118)
  const late = await writePost(board, thread._id, '>>1 >>3 遅い答え')
  const rendered = await page.request.get(`${board.url}/thread/${thread._id}`)
  expect(await rendered.text()).toContain(`（3への返信を読む）`)
  await enterThread(page, board, thread._id)
  const answers = (number: number, count: number) =>
    expect(postOf(page, number).getByRole('button', { name: new RegExp(`^返信 ${count}\\D`) })).toBeVisible()
  await answers(1, 1)
  await answers(3, 1)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await expect(postOf(page, late.number)).toHaveCount(0)
  await writePost(board, thread._id, '>>3 もう一つ')
  await answers(3, 2)
  await answers(1, 1)
  await expect(postOf(page, late.number)).toHaveCount(0)
})

test('a thread that could not be asked about says so until the server answers again', async ({ page, board }) => {
  const OLD = 'いまはサーバーに確かめられません。'
  const thread = await startThread(board, { title: '霧の里', category: 'rant' })
  await page.clock.install()
  await page.goto(`${board.url}/categories/rant`)
  await untilScripted(page)
  await rowOf(page, thread.title).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(thread.title)
  await page.goBack()
  await expect(rowOf(page, thread.title)).toBeVisible()
  await page.clock.fastForward(60_000)
  await page.route(`**/api/threads/${thread._id}*`, (route) => route.fulfill({ status: 503 }))
  await page.goForward()
  await expect(page.getByText(OLD)).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await page.clock.fastForward(15_000)
  await expect(page.getByText(OLD)).toHaveCount(0)
})
