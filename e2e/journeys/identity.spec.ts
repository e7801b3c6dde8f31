/** Who is speaking: IDs of a day, tripcodes, sage, and the links of newcomers. */
import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import {
  atNoon,
  giveLevel,
  openBoard,
  readPosts,
  signUp,
  startThread,
  writeFrom,
  writePost,
  type Board,
} from '../board.ts'
import { composerOf, enterThread, expect, logIn, openMenu, postOf, rowOf, say, test as base } from '../test.ts'

const test = base.extend<object, { board: Board }>({
  board: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
    async ({}, provide) => {
      const board = await openBoard({ TRUST_PROXY: 'true', ...atNoon() })
      await provide(board)
      await board.close()
    },
    { scope: 'worker' },
  ],
})

const NEIGHBOUR = '203.0.113.7'
const ANOTHER = '203.0.113.99'
const STRANGER = '198.51.100.1'
const OLD_TRIP = 'kamiWSbiis'

const idOf = (page: Page, number: number) =>
  postOf(page, number).locator('header').getByRole('button', { name: /^ID:/ })
const toolsOf = (page: Page) => page.getByRole('dialog', { name: 'このスレッド' })
const resultsOf = (page: Page) => toolsOf(page).getByRole('list', { name: '抽出した書き込み' }).getByRole('article')
const isLive = (page: Page) => expect(page.getByText('自動更新中')).toBeVisible()

/** A thread with two posts of a stranger and one of somebody else. */
async function speak(board: Board) {
  const thread = await startThread(board, { content: '始まり' })
  const { posterId } = await writeFrom(board, STRANGER, thread._id, { content: '一言目' })
  await writeFrom(board, NEIGHBOUR, thread._id, { content: `ID:${posterId} に同意` })
  await writeFrom(board, STRANGER, thread._id, { content: '二言目' })
  return { thread, id: posterId! }
}

/** Everything that a page sends, from now on. */
function watchSending(page: Page): { readonly urls: string[]; readonly frames: string[] } {
  const sent = { urls: [] as string[], frames: [] as string[] }
  page.on('request', (request) => sent.urls.push(request.url()))
  page.on('websocket', (socket) => {
    sent.urls.push(socket.url())
    socket.on('framesent', ({ payload }) => sent.frames.push(String(payload)))
  })
  return sent
}

test('neighbours of one network share an ID until one of them has a level', async ({ browser, board }) => {
  const thread = await startThread(board)
  const ids: string[] = []
  for (const [index, [address, level]] of (
    [
      [NEIGHBOUR, 0],
      [ANOTHER, 0],
      [ANOTHER, 1],
    ] as const
  ).entries()) {
    const context: BrowserContext = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': address } })
    const page = await context.newPage()
    await enterThread(page, board, thread._id)
    if (level > 0) await giveLevel(board, context, level)
    await say(page, '隣から')
    await expect(postOf(page, index + 2)).toContainText('隣から')
    // A post below the screen is not drawn, and innerText gives what is drawn.
    ids.push((await idOf(page, index + 2).textContent())!.slice(0, 11))
    await context.close()
  }
  expect(ids[0]).toMatch(/^ID:[\w-]{8}$/)
  expect(ids[1]).toBe(ids[0])
  expect(ids[2]).not.toBe(ids[0])
})

test('a post line has number, name, time and ID, and its text begins right below @both', async ({
  page,
  board,
  isMobile,
}) => {
  const { thread } = await speak(board)
  for (let count = 0; count < 3; count += 1) await writeFrom(board, STRANGER, thread._id, { content: '>>3 さらに' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(idOf(page, 2)).toHaveText(/^ID:[\w-]{8} \(1\/5\)$/)
  await expect(idOf(page, 3)).toHaveText(/^ID:[\w-]{8}$/)
  const colourOf = (number: number) => idOf(page, number).evaluate((element) => getComputedStyle(element).color)
  // Five posts are many.
  expect(await colourOf(2)).not.toBe(await colourOf(3))
  await expect(postOf(page, 3).getByRole('button', { name: /^返信 3/ })).toBeVisible()
  const heights = await Promise.all([2, 3, 4].map(async (number) => (await postOf(page, number).boundingBox())!.height))
  if (isMobile) for (const height of heights) expect(height).toBeLessThanOrEqual(60)
  const tops = await postOf(page, 2)
    .locator('header')
    .evaluate((header) => {
      const parts = [...header.querySelectorAll('[data-number], time, [data-poster]')]
      return parts.map((part) => Math.round(part.getBoundingClientRect().bottom / 10))
    })
  expect(new Set(tops).size).toBe(1)
})

test('live posts are counted on, for all posts of their ID', async ({ page, board }) => {
  const { thread } = await speak(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  await writeFrom(board, STRANGER, thread._id, { content: '三言目' })
  await expect(idOf(page, 5)).toContainText('(3/3)')
  await expect(idOf(page, 2)).toContainText('(1/3)')
  await page.reload()
  await expect(idOf(page, 5)).toContainText('(3/3)')
})

test('a tap on an ID, or on one in a text, lists its posts, and leads on from there @both', async ({ page, board }) => {
  const { thread, id } = await speak(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  await idOf(page, 2).click()
  await expect(toolsOf(page).getByRole('button', { name: `ID:${id}の書き込み` })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(resultsOf(page)).toContainText(['一言目', '二言目'])
  await expect(toolsOf(page).getByRole('status')).toHaveText('2件')
  await page.keyboard.press('Escape')
  await expect(toolsOf(page)).toBeHidden()

  await idOf(page, 3).click()
  await expect(resultsOf(page)).toHaveCount(1)
  // The ID in the text of the result.
  await resultsOf(page)
    .getByRole('button', { name: `ID:${id}`, exact: true })
    .click()
  await expect(resultsOf(page)).toHaveCount(2)
  await resultsOf(page).nth(1).getByRole('link', { name: '4へ移動' }).click()
  await expect(toolsOf(page)).toBeHidden()
  await expect(postOf(page, 4)).toBeInViewport()
})

test('この人をNG hides an ID in its thread and says so', async ({ page, board }) => {
  const { thread, id } = await speak(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  await (await openMenu(page, 2)).getByRole('button', { name: /^この人をNG/ }).click()
  for (const number of [2, 4]) {
    await expect(postOf(page, number)).toHaveText(new RegExp(`あぼーん.*NG：ID「${id}」`))
  }
  await expect(postOf(page, 3)).toContainText('に同意')
  await page.goto(`${board.url}/ng`)
  await expect(page.getByRole('listitem').filter({ hasText: `ID「${id}」` })).toContainText('このスレッドだけ')
  await page.getByRole('button', { name: new RegExp(`外す.*${id}`) }).click()
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toContainText('一言目')
})

test('a name with a key shows its trip in every tab, and the key leaves the browser with posts alone', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const sent = watchSending(page)
  await page.goto(`${board.url}/thread/${thread._id}`)
  const dialog = page.getByRole('dialog', { name: 'ニックネームを決める' })
  const field = dialog.getByLabel('ニックネーム')
  await expect(field).toHaveValue(/./)
  await field.fill('老中#istrip')
  await expect(dialog.getByText(/鍵を知る人だけが出せる印/)).toBeVisible()
  await dialog.getByRole('button', { name: 'この名前で書き込む' }).click()
  await expect(dialog).toBeHidden()
  const dock = page.locator('[data-dock]')
  await expect(dock).toContainText(/老中◆[\w./]{10}/)
  await isLive(page)
  await say(page, '署名して一言')
  await expect(postOf(page, 2)).toContainText(/老中.*◆[\w./]{10}/)

  const second = await context.newPage()
  const sentBySecond = watchSending(second)
  await second.goto(`${board.url}/thread/${thread._id}`)
  await isLive(second)
  await expect(second.locator('[data-dock]')).toContainText(/老中◆[\w./]{10}/)
  await say(second, '別の画面からもう一言')
  await expect(postOf(second, 3)).toContainText(/老中.*◆[\w./]{10}/)
  const trips = (await readPosts(board, thread._id)).map(({ trip }) => trip)
  expect(trips[1]).toBeDefined()
  expect(trips[2]).toBe(trips[1])

  const KEY = 'istrip'
  for (const { urls, frames } of [sent, sentBySecond]) {
    expect(urls.filter((url) => url.includes(KEY))).toEqual([])
    expect(frames.filter((frame) => frame.includes('joinThread') && frame.includes(KEY))).toEqual([])
  }
  expect(JSON.stringify(await readPosts(board, thread._id))).not.toContain(KEY)
  // Of this browser's stores only the record of names has it.
  const holders = await page.evaluate((key) => {
    const of = (area: Storage) => Object.keys(area).filter((name) => area.getItem(name)!.includes(key))
    return [...of(localStorage), ...of(sessionStorage)]
  }, KEY)
  expect(holders).toEqual(['threadNames'])
  await page.goto(`${board.url}/notebook`)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: '帳面を書き出す' }).click()
  const file = await readFile(await (await download).path(), 'utf8')
  expect(file).toContain(thread._id)
  expect(file).not.toContain(KEY)
})

test('a thread is opened under a name with a key, and its page knows it', async ({ page, board }) => {
  await page.goto(`${board.url}/create?category=world`)
  await page.getByLabel(/タイトル/).fill('印を持って立てる')
  await page.getByLabel(/内容/).fill('よろしく')
  await page.getByLabel(/ニックネーム/).fill('老中#立てる鍵')
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await rowOf(page, '印を持って立てる').click()
  await expect(postOf(page, 1)).toContainText(/老中.*◆/)
  await isLive(page)
  await expect(page.locator('[data-dock]')).toContainText(/老中◆/)
})

test('a typed ◆ is no trip', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id, `老中◆${OLD_TRIP}`)
  await say(page, '騙り')
  await expect(postOf(page, 2)).toContainText(`老中◇${OLD_TRIP}`)
  await expect(postOf(page, 2).getByText('トリップ')).toHaveCount(0)
})

test('a post with sage does not lift its thread, and the switch is remembered for the thread', async ({
  page,
  board,
}) => {
  const older = await startThread(board, { title: '先に立った話', category: 'rant' })
  await startThread(board, { title: '後に立った話', category: 'rant' })
  const titles = async () => {
    await page.goto(`${board.url}/categories/rant?sort=active`)
    return page
      .getByRole('article')
      .getByRole('link', { name: /立った話$/ })
      .allInnerTexts()
  }
  await enterThread(page, board, older._id)
  await composerOf(page).focus()
  const sage = page.getByRole('switch', { name: /^sage/ })
  await sage.click()
  await expect(sage).toHaveAttribute('aria-checked', 'true')
  await say(page, '静かに一言')
  await expect(postOf(page, 2)).toContainText('sage')
  expect((await titles())[0]).toContain('後に立った話')
  await page.goto(`${board.url}/thread/${older._id}`)
  await composerOf(page).focus()
  await expect(sage).toHaveAttribute('aria-checked', 'true')
  await sage.click()
  await say(page, '声を上げて一言')
  await expect(postOf(page, 3)).toContainText('声を上げて一言')
  await expect(postOf(page, 3)).not.toContainText('sage')
  await expect.poll(async () => (await titles())[0]).toContain('先に立った話')
})

test('the address of a newcomer is text that says why, also without scripts', async ({ page, browser, board }) => {
  const thread = await startThread(board)
  await writePost(board, thread._id, '見て https://example.jp/a')
  const member = await signUp(board)
  await logIn(page.context(), board, member)
  await page.goto(`${board.url}/thread/${thread._id}`)
  const address = postOf(page, 2).getByText('https://example.jp/a')
  await expect(address).toHaveAttribute('title', '初めての方のリンクは押せません。')
  await expect(postOf(page, 2).getByRole('link', { name: /example/ })).toHaveCount(0)
  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(`${board.url}/thread/${thread._id}`)
  await expect(plain.locator('[id="2"]')).toContainText('https://example.jp/a')
  await expect(plain.locator('a[href*="example.jp"]')).toHaveCount(0)
  await plain.close()
})
