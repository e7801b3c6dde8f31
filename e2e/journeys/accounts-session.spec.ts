/**
 * Sessions in the browser (docs/product.md#session): on page load, on expiry, in two tabs, and
 * while the server is down.
 */
import { request, type BrowserContext, type Page } from '@playwright/test'
import { messages } from '@shinobi/contract/messages'
import sharp from 'sharp'
import { signUp, startThread, type Board } from '../board.ts'
import {
  composerOf,
  expect,
  expireAccess,
  fillLogin,
  logIn,
  postsOf,
  repeatUntil,
  saidOnConsole,
  saidOnPage,
  say,
  test,
} from '../test.ts'

const storedUser = (page: Page) => page.evaluate(() => localStorage.getItem('user'))
const shownAs = (page: Page) => page.locator('html').getAttribute('data-session')
const hasHint = async (context: BrowserContext) => (await context.cookies()).some(({ name }) => name === 'session')

/**
 * Whoever comes back to a page causes its requests in the background; a page that was opened just
 * now may not listen yet.
 */
const comeBackUntil = (page: Page, hasNoticed: (patience: { readonly timeout: number }) => Promise<void>) =>
  repeatUntil(
    () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))),
    hasNoticed,
  )

/** Collects the requests of session calls from now on. */
function watchSession(page: Page): string[] {
  const seen: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/auth\/(refresh|verify|logout)$/.test(pathname)) seen.push(pathname)
  })
  return seen
}

/** Opens a page, and waits until the server has said that the session goes on. */
async function openVerified(page: Page, address: string): Promise<void> {
  const verified = page.waitForResponse('**/auth/verify')
  await page.goto(address)
  expect((await verified).status()).toBe(200)
}

/**
 * Ends the session on the server, as the member can do on another device. This browser keeps its
 * cookies all the time.
 */
async function endOnServer(context: BrowserContext, board: Board): Promise<void> {
  const storageState = await context.storageState()
  const elsewhere = await request.newContext({ storageState, extraHTTPHeaders: { origin: board.url } })
  const answer = await elsewhere.post(`${board.url}/auth/logout`)
  expect(answer.ok()).toBe(true)
  await elsewhere.dispose()
}

test('a reader without a session causes no session request', async ({ page, board }) => {
  const seen = watchSession(page)
  await page.goto(board.url)
  await page.waitForLoadState('networkidle')
  expect(seen).toEqual([])
  expect(await shownAs(page)).toBe('out')
})

test('a page shows the stored copy of the user, and renews it', async ({ page, context, board }) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  await member.send('PUT', '/auth/profile', { name: `${member.user.name}改` })
  const seen = watchSession(page)
  await page.goto(board.url)
  await expect.poll(() => storedUser(page)).toContain('改')
  expect(await shownAs(page)).toBe('in')
  expect(seen).toEqual(['/auth/verify'])
})

test('when the session of the stored copy has ended, the copy is removed, and the reader sees a notice on the same page', async ({
  page,
  context,
  board,
}) => {
  await logIn(context, board, await signUp(board))
  await endOnServer(context, board)
  const said = [messages.token_refresh_failed, messages.verify_failed].map((words) => saidOnConsole(page, words))
  const told = saidOnPage(page, messages.verify_failed)
  await page.goto(board.url)
  await Promise.all(said)
  await told
  await expect.poll(() => storedUser(page)).toBeNull()
  expect(await shownAs(page)).toBe('out')
  await expect.poll(() => hasHint(context)).toBe(false)
  await expect(page).toHaveURL(new RegExp(`^${board.url}/?$`))
  // From then on they are a reader like any other.
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a server that cannot verify the session shows no notice, and is asked again', async ({
  page,
  context,
  board,
}) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  let away = true
  await page.route('**/auth/verify', (route) => (away ? route.fulfill({ status: 503, body: '' }) : route.continue()))
  await page.goto(board.url)
  await expect.poll(() => shownAs(page)).toBe('out')
  await page.waitForLoadState('networkidle')
  await expect(page.getByRole('alert')).toHaveCount(0)
  away = false
  // It asks again after five seconds.
  await expect.poll(() => shownAs(page)).toBe('in')
})

test('while the server has not said who is logged in, no thread is sent, neither under a nickname nor under the member’s name', async ({
  page,
  context,
  board,
}) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  let away = true
  await page.route('**/auth/verify', (route) => (away ? route.fulfill({ status: 503, body: '' }) : route.continue()))
  const sent: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sent.push(new URL(request.url()).pathname)))
  await page.goto(`${board.url}/create?category=world`)
  await expect.poll(() => shownAs(page)).toBe('out')
  await page.getByLabel(/タイトル/).fill('通りすがりの題名')
  await page.getByLabel(/内容/).fill('誰の名前でもまだ送らない')
  await page.getByLabel(/ニックネーム/).fill('通りすがり')
  const told = saidOnPage(page, messages.session_unknown)
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await told
  expect(sent).not.toContain('/api/threads')
  away = false
  // It asks again after five seconds.
  await expect.poll(() => shownAs(page)).toBe('in')
  await expect(page.getByText('会員名で書き込みます。')).toBeVisible()
  await expect(page.getByLabel(/タイトル/)).toHaveValue('通りすがりの題名')
})

test('a corrupt copy is removed without a notice', async ({ page, board }) => {
  await page.goto(`${board.url}/boot.js`)
  await page.evaluate(() => localStorage.setItem('user', '{"name":'))
  await page.goto(board.url)
  await expect.poll(() => storedUser(page)).toBeNull()
  expect(await shownAs(page)).toBe('out')
})

test('a member’s action with an expired access token succeeds after one renewal', async ({ page, context, board }) => {
  const member = await signUp(board)
  const { user } = member
  await logIn(context, board, member)
  await page.goto(`${board.url}/profile`)
  await expect(page.getByText('ログイン中の端末')).toBeVisible()
  await expireAccess(context)
  const seen = watchSession(page)
  const renamed = `${user.name}二世`
  await page.getByRole('button', { name: '名前を変える' }).click()
  await page.getByLabel('新しい会員名').fill(renamed)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: renamed })).toBeVisible()
  // The renewal is followed by a reload of the profile, and both requests may carry the expired
  // token.
  expect(seen).toEqual(['/auth/refresh'])
})

for (const learns of ['by the action', 'in the background before'])
  test(`a member’s action after the end of the session, of which the page learns ${learns}, leads to the log-in and back`, async ({
    page,
    context,
    board,
  }) => {
    const member = await signUp(board)
    await logIn(context, board, member)
    await openVerified(page, `${board.url}/create?category=world`)
    await page.getByLabel(/タイトル/).fill('送られなかった題名')
    await page.getByLabel(/内容/).fill('書いたことは残る')
    await endOnServer(context, board)
    const said = saidOnConsole(page, messages.token_refresh_failed)
    if (learns !== 'by the action') {
      await comeBackUntil(page, (patience) => expect.poll(() => shownAs(page), patience).toBe('out'))
    }
    await page.getByRole('button', { name: 'スレッドを作成' }).click()
    await said
    await expect(page).toHaveURL(/\/login\?next=/)
    await expect(page.getByText(messages.session_expired)).toBeVisible()
    await fillLogin(page, member.user.name, member.password)
    await expect(page).toHaveURL(`${board.url}/create?category=world`)
    await expect(page.getByLabel(/タイトル/)).toHaveValue('送られなかった題名')
  })

test('a session that ends in the background is reported, and leads only who writes away', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await openVerified(page, `${board.url}/thread/${thread._id}`)
  await endOnServer(context, board)
  const told = saidOnPage(page, messages.session_expired)
  await comeBackUntil(page, (patience) => expect.poll(() => shownAs(page), patience).toBe('out'))
  await told
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
  // Only the first text is led to the log-in: who comes back without one goes on as a visitor.
  await say(page, '会員のつもりで書いた')
  await expect(page).toHaveURL(/\/login\?next=/)
  await page.goBack()
  await expect(composerOf(page)).toHaveValue('会員のつもりで書いた')
  await page.getByRole('button', { name: 'この名前で書き込む' }).click()
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postsOf(page).last()).toContainText('会員のつもりで書いた')
})

async function choosePicture(page: Page): Promise<void> {
  const picture = sharp({ create: { width: 80, height: 40, channels: 3, background: '#33aa88' } })
  const buffer = await picture.png().toBuffer()
  await page.locator('input[type=file]').setInputFiles({ name: 'moon.png', mimeType: 'image/png', buffer })
}

test('a picture is not lost with the session: it is sent once its writer has logged in in another tab', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openVerified(page, `${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await composerOf(page).focus()
  await choosePicture(page)
  const preview = page.getByRole('img', { name: '添付する画像のプレビュー' })
  await expect(preview).toBeVisible()
  await endOnServer(context, board)
  await comeBackUntil(page, (patience) => expect.poll(() => shownAs(page), patience).toBe('out'))
  await say(page, '会員の絵')
  await expect(page.getByText(messages.session_expired_with_image)).toBeVisible()
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
  const other = await context.newPage()
  await other.goto(`${board.url}/login`)
  await fillLogin(other, member.user.name, member.password)
  await expect.poll(() => shownAs(page)).toBe('in')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postsOf(page).last()).toContainText(member.user.name)
  await expect(postsOf(page).last().getByRole('img')).toHaveAttribute('height', '40')
  await expect(preview).toBeHidden()
  await other.close()
})

test('a thread whose sending learns of the end of the session keeps its page and its picture', async ({
  page,
  context,
  board,
}) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  await openVerified(page, `${board.url}/create?category=world`)
  await page.getByLabel(/タイトル/).fill('絵のある題名')
  await page.getByLabel(/内容/).fill('会員の絵')
  await choosePicture(page)
  await endOnServer(context, board)
  const send = page.getByRole('button', { name: 'スレッドを作成' })
  await send.click()
  await expect(page.getByText(messages.session_expired_with_image)).toBeVisible()
  await expect(page).toHaveURL(`${board.url}/create?category=world`)
  const other = await context.newPage()
  await other.goto(`${board.url}/login`)
  await fillLogin(other, member.user.name, member.password)
  await expect.poll(() => shownAs(page)).toBe('in')
  await send.click()
  await expect(page).toHaveURL(/\/categories\/world/)
  await page.getByRole('link', { name: /絵のある題名/ }).click()
  await expect(postsOf(page).first()).toContainText(member.user.name)
  await expect(postsOf(page).first().getByRole('img')).toHaveAttribute('height', '40')
  await other.close()
})

test('a log-in or log-out in one tab shows in the other', async ({ page, context, board }) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  const other = await context.newPage()
  await other.goto(board.url)
  await expect.poll(() => shownAs(other)).toBe('in')
  await page.goto(`${board.url}/profile`)
  await page.getByRole('button', { name: 'ログアウト' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await expect.poll(() => shownAs(other)).toBe('out')
  // Vice versa: the form in the first tab disappears by itself.
  await other.goto(`${board.url}/login`)
  await fillLogin(other, member.user.name, member.password)
  await expect(other).toHaveURL(/\/profile$/)
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('heading', { name: member.user.name })).toBeVisible()
  await other.close()
})

test('two tabs with an expired access token share one renewal, and both stay logged in', async ({
  page,
  context,
  board,
}) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`${board.url}/profile`)
    await expect(tab.getByText('ログイン中の端末')).toBeVisible()
  }
  for (let round = 0; round < 3; round += 1) {
    await expireAccess(context)
    await Promise.all([page.reload(), other.reload()])
    for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: member.user.name })).toBeVisible()
  }
  await other.close()
})

test('a log-out while the server is down still holds when it is back', async ({ page, context, ownBoard }) => {
  const member = await signUp(ownBoard)
  await logIn(context, ownBoard, member)
  // The script of the next screen is preloaded; wait for it.
  const preloaded = page.waitForResponse(/\/assets\/entrance-.*\.js$/)
  await page.goto(`${ownBoard.url}/profile`)
  await expect(page.getByText('ログイン中の端末')).toBeVisible()
  await (await preloaded).finished()
  await page.evaluate(() => localStorage.setItem('jwt', 'old'))
  await ownBoard.kill()
  const said = saidOnConsole(page, messages.logout_failed)
  await page.getByRole('button', { name: 'ログアウト' }).click()
  await said
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ログイン')
  expect(await page.evaluate(() => [localStorage.getItem('user'), localStorage.getItem('jwt')])).toEqual([null, null])
  await expect.poll(() => hasHint(context)).toBe(false)

  await ownBoard.start()
  const seen = watchSession(page)
  await page.goto(`${ownBoard.url}/profile`)
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('ログイン')
  // The log-out is sent again, so that the session ends on the server as well.
  await expect.poll(() => seen).toEqual(['/auth/logout'])
  await expect.poll(async () => (await context.cookies()).map(({ name }) => name)).not.toContain('refresh')
})
