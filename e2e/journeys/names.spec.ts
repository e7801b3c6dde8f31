/** Names of writers without an account. */
import type { Page } from '@playwright/test'
import { startThread } from '../board.ts'
import { composerOf, enterThread, expect, openMenu, postOf, rowOf, saidOnPage, say, test } from '../test.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'ニックネームを決める' })
const fieldOf = (page: Page) => dialogOf(page).getByLabel('ニックネーム')
const confirm = (page: Page) => dialogOf(page).getByRole('button', { name: 'この名前で書き込む' }).click()
const isLive = (page: Page) => expect(page.getByText('自動更新中')).toBeVisible()

/** Whether a press in its middle reaches an element. */
function isUncovered(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return document.elementFromPoint((left + right) / 2, (top + bottom) / 2) === element
}

/** Collects what the page sends over its sockets from now on. */
function watchFrames(page: Page): string[] {
  const sent: string[] = []
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))))
  return sent
}

test('opening a thread proposes a name, connects, and sets no cookie', async ({ page, context, board }) => {
  const thread = await startThread(board)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.url())
  })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(fieldOf(page)).toHaveValue(/^.+_.{5}$/)
  await isLive(page)
  expect(await context.cookies()).toEqual([])
  // Every browser verifies a possible session; that request sends no name.
  expect(sent.filter((url) => !url.endsWith('/auth/verify'))).toEqual([])
})

test('a nickname of another visitor is refused, and another one can be chosen @both', async ({ page, board }) => {
  const thread = await startThread(board, { nickname: '先客の影' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(fieldOf(page)).toHaveValue(/^.+_.{5}$/)
  await fieldOf(page).fill('先客の影')
  await confirm(page)
  await expect(dialogOf(page).getByText('この名前はほかの人が使っているか、使えない言葉を含んでいます。')).toBeVisible()
  await expect(fieldOf(page)).toBeFocused()
  await dialogOf(page).getByRole('button', { name: 'ほかの候補' }).click()
  await expect(fieldOf(page)).not.toHaveValue('先客の影')
  await confirm(page)
  // The focus is in the composer.
  await expect(composerOf(page)).toBeFocused()
  await page.keyboard.type('hello')
  await expect(composerOf(page)).toHaveValue('hello')
  await page.reload()
  await isLive(page)
  await expect(dialogOf(page)).toBeHidden()
})

test('what is typed while the server checks a name is in the post, and nothing of it in the name @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { nickname: '先に来た影' })
  const answers = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
  let checks = 0
  await page.route('**/checkNickname', async (route) => {
    await answers[checks++]!.promise
    await route.continue()
  })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(fieldOf(page)).toHaveValue(/^.+_.{5}$/)
  const confirmAndType = async (name: string, typed: string) => {
    await fieldOf(page).fill(name)
    const asked = page.waitForRequest('**/checkNickname')
    await page.keyboard.press('Enter')
    await asked
    await page.keyboard.insertText(typed)
  }
  await confirmAndType('先に来た影', 'こんに')
  answers[0].resolve()
  await expect(fieldOf(page)).toBeFocused()
  await expect(fieldOf(page)).toHaveValue('先に来た影')
  await confirmAndType('あとに来た影', 'ちは')
  answers[1].resolve()
  await expect(dialogOf(page)).toBeHidden()
  await expect(composerOf(page)).toHaveValue('こんにちは')
})

test('a failed check of a name shows an error without breaking the thread, and the next one counts', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await page.route('**/checkNickname', (route) => route.abort(), { times: 1 })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  await confirm(page)
  await expect(dialogOf(page).getByRole('alert')).toBeVisible()
  await confirm(page)
  await expect(dialogOf(page)).toBeHidden()
  await say(page, '二度目で通りました')
  await expect(postOf(page, 2)).toContainText('二度目で通りました')
})

test('the name stays the visitor’s own after a reload, however the first post was sent', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id, '一人の影')
  // At once, so that the connection may still be the one from before the cookie.
  await say(page, '一つ目')
  await expect(postOf(page, 2)).toContainText('一人の影')
  await page.reload()
  await isLive(page)
  await say(page, '二つ目')
  await expect(postOf(page, 3)).toContainText('一人の影')
  await page.context().clearCookies()
  await page.reload()
  await isLive(page)
  // Without the cookie they are another visitor, and the name is taken.
  const refused = saidOnPage(page, 'この名前はほかの人が使っているか')
  await say(page, '三つ目')
  await refused
  await expect(composerOf(page)).toHaveValue('三つ目')
})

test('a dismissed name dialog does not return, in no tab, until the name is pressed', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await dialogOf(page).getByRole('button', { name: 'あとで決める' }).click()
  await expect(dialogOf(page)).toBeHidden()
  // Not the field, which would open a phone's keyboard.
  await expect(page.getByRole('button', { name: /ニックネームを決める/ })).toBeFocused()
  await page.reload()
  await isLive(page)
  await expect(dialogOf(page)).toBeHidden()
  const second = await context.newPage()
  await second.goto(`${board.url}/thread/${thread._id}`)
  await isLive(second)
  await expect(dialogOf(second)).toBeHidden()
  await second.close()
  await page.getByRole('button', { name: /ニックネームを決める/ }).click()
  await expect(fieldOf(page)).toBeFocused()
})

test('a name chosen in one tab is the name in the others', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  const second = await context.newPage()
  await enterThread(second, board, thread._id, '二枚目の影')
  await expect(dialogOf(page)).toBeHidden()
  await say(page, '一枚目から')
  await expect(postOf(page, 2)).toContainText('二枚目の影')
  await expect(postOf(second, 2)).toContainText('自分の書き込み')
})

test('a post can be begun before a name is chosen, and is sent when it is @both', async ({ page, board }) => {
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(fieldOf(page)).toHaveValue(/./)
  await (await openMenu(page, 1)).getByRole('button', { name: /返信/ }).click()
  await expect(composerOf(page)).toBeFocused()
  await expect(composerOf(page)).toHaveValue('>>1\n')
  await composerOf(page).fill('>>1\n同感です')
  const asked = saidOnPage(page, '名前を決めてから書き込んでください。')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await asked
  await expect.poll(() => fieldOf(page).evaluate(isUncovered)).toBe(true)
  await expect(fieldOf(page)).toBeFocused()
  await fieldOf(page).fill('後から名乗る影')
  await page.keyboard.press('Enter')
  await expect(postOf(page, 2)).toContainText('同感です')
  await expect(postOf(page, 2)).toContainText('後から名乗る影')
  await expect(composerOf(page)).toHaveValue('')
})

test('a visitor without a name writes as 名無し, as everybody can', async ({ page, browser, board }) => {
  const thread = await startThread(board)
  const stranger = await (await browser.newContext()).newPage()
  for (const [index, visitor] of [page, stranger].entries()) {
    await visitor.goto(`${board.url}/thread/${thread._id}`)
    await dialogOf(visitor).getByRole('button', { name: '名無しで書く' }).click()
    await expect(dialogOf(visitor)).toBeHidden()
    await say(visitor, `名乗らない${index + 1}人目`)
    await expect(postOf(visitor, index + 2)).toContainText(`名乗らない${index + 1}人目`)
    await expect(postOf(visitor, index + 2)).toContainText('名無し')
  }
  await stranger.context().close()
})

test('the name of the last thread is offered in the next one, and written under with its tripcode', async ({
  page,
  board,
}) => {
  const [first, second] = [await startThread(board), await startThread(board)]
  await enterThread(page, board, first._id, '渡りの影#秘密の鍵')
  await say(page, '一つ目のスレッドから')
  await expect(postOf(page, 2)).toContainText(/渡りの影\s*トリップ\s*◆/)
  await page.goto(`${board.url}/thread/${second._id}`)
  await fieldOf(page).focus()
  await dialogOf(page)
    .getByRole('button', { name: /前に使った名前 渡りの影/ })
    .click()
  await expect(fieldOf(page)).toHaveValue('渡りの影#秘密の鍵')
  await confirm(page)
  await expect(dialogOf(page)).toBeHidden()
  await say(page, '二つ目のスレッドから')
  await expect(postOf(page, 2)).toContainText(/渡りの影\s*トリップ\s*◆/)
})

test('the name of a thread’s creator is set in the thread', async ({ page, board }) => {
  await page.goto(`${board.url}/create?category=world`)
  await page.getByLabel(/タイトル/).fill('名乗って立てる')
  await page.getByLabel(/内容/).fill('よろしく')
  const nickname = page.getByLabel(/ニックネーム/)
  await nickname.fill('運営')
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await expect(nickname).toHaveAccessibleDescription(/この名前はほかの人が使っているか/)
  await expect(nickname).toBeFocused()
  await nickname.fill('立てた影')
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await rowOf(page, '名乗って立てる').click()
  await expect(postOf(page, 1)).toContainText('自分の書き込み')
  await isLive(page)
  await expect(dialogOf(page)).toBeHidden()
  await say(page, '続きです')
  await expect(postOf(page, 2)).toContainText('立てた影')
})

test('a changed name is sent to the server when it is chosen, and applies from the next post', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  const sent = watchFrames(page)
  await enterThread(page, board, thread._id, '初めの影')
  await isLive(page)
  await expect.poll(() => sent.some((frame) => /joinThread.*初めの影/.test(frame))).toBe(true)
  await page.getByRole('button', { name: /ニックネームを変える/ }).click()
  await expect(fieldOf(page)).toHaveValue('初めの影')
  await fieldOf(page).fill('次の影')
  await confirm(page)
  await expect.poll(() => sent.some((frame) => /joinThread.*次の影/.test(frame))).toBe(true)
  await say(page, '名を変えました')
  await expect(postOf(page, 2)).toContainText('次の影')
})

test('the name line is short, and covers none of the thread’s controls @both', async ({ page, board, isMobile }) => {
  const thread = await startThread(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(fieldOf(page)).toHaveValue(/./)
  const dock = page.locator('[data-dock]')
  for (const width of isMobile ? [320, 360, 390] : [1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(async () => (await dock.boundingBox())!.height).toBeLessThanOrEqual(112)
  }
  await expect(dock.getByRole('link', { name: '最新へ' })).toBeVisible()
  await confirm(page)
  await expect(composerOf(page)).toBeFocused()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(composerOf(page)).not.toBeFocused()
  if (isMobile) await expect.poll(async () => (await dock.boundingBox())!.height).toBeLessThanOrEqual(56)
})
