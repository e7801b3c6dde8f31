import type { BrowserContext, Page } from '@playwright/test'
import { readPosts, signUp, startThread, writePost, type Board } from '../board.ts'
import {
  composerOf,
  enterThread,
  expect,
  expireAccess,
  fillLogin,
  logIn,
  openWithoutLine,
  postOf,
  postsOf,
  say,
  test,
} from '../test.ts'

const nicknameDialog = (page: Page) => page.getByRole('dialog', { name: 'ニックネームを決める' })
const live = (page: Page) => page.getByText('自動更新中', { exact: true })

/** Logs out in this browser over the API, as another tab would. */
async function logOut(context: BrowserContext, board: Board): Promise<void> {
  const other = await context.newPage()
  await other.goto(`${board.url}/boot.js`)
  await other.evaluate(async () => {
    await fetch('/auth/logout', { method: 'POST' })
    localStorage.removeItem('user')
  })
  await other.close()
}

test('a member posts under the profile name and is not asked for a nickname', async ({ page, context, board }) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  const checks: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/checkNickname')) checks.push(request.url())
  })
  // However late the session is verified, the dialog must not appear even for a moment.
  let seen = false
  await page.route('**/auth/verify', async (route) => {
    await page.waitForTimeout(500)
    seen ||= await nicknameDialog(page).isVisible()
    await route.continue()
  })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText(`${member.user.name} として書き込む`)).toBeVisible()
  await expect(live(page)).toBeVisible()
  await say(page, '会員の一言')
  await expect(postOf(page, 2)).toContainText('会員の一言')
  await expect(postOf(page, 2)).toContainText(member.user.name)
  await expect(postOf(page, 2)).toContainText('会員')
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  const [, stored] = await readPosts(board, thread._id)
  expect([stored?.name, stored?.userId]).toEqual([member.user.name, member.user._id])
  expect(checks).toEqual([])
  expect(seen).toBe(false)
})

test('own posts are red after a reload and on the member’s other devices, and for nobody else', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  // Written on another device.
  await member.send('POST', `/api/threads/${thread._id}/posts`, { content: '別の端末から' })
  await (await signUp(board)).send('POST', `/api/threads/${thread._id}/posts`, { content: 'ほかの会員から' })
  await writePost(board, thread._id, '名乗らない人から')
  await logIn(context, board, member)
  await page.goto(`${board.url}/thread/${thread._id}`)
  for (let round = 0; round < 2; round += 1) {
    await expect(postOf(page, 2)).toContainText('自分の書き込み')
    await expect(postOf(page, 2).getByText(member.user.name)).toHaveCSS('color', 'rgb(255, 107, 90)')
    await expect(postOf(page, 3)).not.toContainText('自分の書き込み')
    await expect(postOf(page, 4)).not.toContainText('自分の書き込み')
    await page.reload()
  }
  // Members have a seal, which nobody can type.
  await expect(postOf(page, 3).getByTitle('登録した会員の書き込みです')).toBeVisible()
  await expect(postOf(page, 4).getByTitle('登録した会員の書き込みです')).toHaveCount(0)
})

test('a log-out in another tab makes the open thread anonymous, and a log-in makes it the member’s', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(live(page)).toBeVisible()
  await say(page, '会員として')
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  await composerOf(page).fill('書きかけ')

  await logOut(context, board)
  await expect(nicknameDialog(page)).toBeVisible()
  await expect(postOf(page, 2)).not.toContainText('自分の書き込み')
  await nicknameDialog(page).getByRole('button', { name: 'この名前で書き込む' }).click()
  await expect(nicknameDialog(page)).toBeHidden()
  await expect(composerOf(page)).toHaveValue('書きかけ')
  await expect(live(page)).toBeVisible()
  await say(page, '名乗らずに')
  await expect(postOf(page, 3)).toContainText('自分の書き込み')

  await logIn(context, board, member)
  await expect(page.getByText(`${member.user.name} として書き込む`)).toBeVisible()
  await expect(live(page)).toBeVisible()
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  await say(page, 'また会員として')
  await expect(postOf(page, 4)).toContainText(member.user.name)
  expect((await readPosts(board, thread._id)).map((post) => post.userId !== null)).toEqual([false, true, false, true])
})

test('a session that expires within a thread is renewed, and the post is sent once', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(live(page)).toBeVisible()

  await expireAccess(context)
  // The connection breaks; the next one is refused until the session is renewed.
  await context.setOffline(true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await context.setOffline(false)
  await expect(live(page)).toBeVisible()
  await say(page, '切れたあとの一言')
  await expect(postOf(page, 2)).toContainText(member.user.name)
  expect((await readPosts(board, thread._id)).map((post) => post.userId)).toEqual([null, member.user._id])
})

test('without a socket, a post refused for an expired session is sent again after the renewal', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openWithoutLine(page, board, thread._id, member)
  await composerOf(page).fill('一度だけ')
  await expireAccess(context)
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/posts') && response.request().method() === 'POST') statuses.push(response.status())
  })
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText('一度だけ')
  await expect(composerOf(page)).toHaveValue('')
  await expect.poll(() => statuses).toEqual([401, 201])
  expect((await readPosts(board, thread._id)).map((post) => post.userId)).toEqual([null, member.user._id])
})

test('a post after the end of the session leads to the log-in, and is sent once after it', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openWithoutLine(page, board, thread._id, member)
  await composerOf(page).fill('待っていた一言')
  await member.send('DELETE', '/auth/sessions')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  await fillLogin(page, member.user.name, member.password)
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
  await expect(composerOf(page)).toHaveValue('待っていた一言')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText('待っていた一言')
  expect((await readPosts(board, thread._id)).map((post) => post.userId)).toEqual([null, member.user._id])
})

test('a post refused for the end of the session is kept although its writer leaves while the browser’s database is busy', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openWithoutLine(page, board, thread._id, member)
  await page.route('**/auth/refresh', async (route) => {
    // Nothing else is done with unsent posts until the thread is left.
    await page.evaluate(async () => {
      const opening = indexedDB.open('unsent')
      await new Promise((done) => (opening.onsuccess = done))
      const store = opening.result.transaction('posts', 'readwrite').objectStore('posts')
      await new Promise((done) => {
        const goOn = () => {
          done(null)
          if (document.getElementById('dock') !== null) store.get('').onsuccess = goOn
        }
        store.get('').onsuccess = goOn
      })
    })
    await route.continue()
  })
  await composerOf(page).fill('待っていた一言')
  await member.send('DELETE', '/auth/sessions')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(page.getByText('ログインの有効期限が切れました')).toBeVisible()
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: '帳面' })).toBeVisible()
  await page.goBack()
  await expect(composerOf(page)).toHaveValue('待っていた一言')
})

test('a post that its writer leaves while it is sent leads nowhere when the session has ended, and goes after the log-in', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openWithoutLine(page, board, thread._id, member)
  const asked = Promise.withResolvers<void>()
  const isLeft = Promise.withResolvers<void>()
  await page.route('**/auth/refresh', async (route) => {
    asked.resolve()
    await isLeft.promise
    await route.continue()
  })
  await composerOf(page).fill('待っていた一言')
  await member.send('DELETE', '/auth/sessions')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await asked.promise
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: '帳面' })).toBeVisible()
  isLeft.resolve()
  await expect(page.getByText('ログインの有効期限が切れました')).toBeVisible()
  await expect(page).toHaveURL(/\/notebook$/)

  await logIn(context, board, member)
  await page.goBack()
  await expect(postOf(page, 2)).toContainText('待っていた一言')
  await expect(composerOf(page)).toHaveValue('')
  expect((await readPosts(board, thread._id)).map((post) => post.userId)).toEqual([null, member.user._id])
})

test('a session ended on another device leaves the reader on the page, with their draft', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(live(page)).toBeVisible()
  await composerOf(page).fill('書きかけの巻物')
  await member.send('DELETE', '/auth/sessions')
  await expect(nicknameDialog(page)).toBeVisible()
  await nicknameDialog(page).getByRole('button', { name: 'この名前で書き込む' }).click()
  // Until the name is confirmed, the button leads to the log-in.
  await expect(nicknameDialog(page)).toBeHidden()
  await expect(composerOf(page)).toHaveValue('書きかけの巻物')
  await expect(live(page)).toBeVisible()
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText('書きかけの巻物')
  expect((await readPosts(board, thread._id)).map((post) => post.userId)).toEqual([null, null])
})

test('a deleted member becomes nameless on open screens', async ({ page, board }) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/posts`, { content: '去る人の一言' })
  await enterThread(page, board, thread._id)
  await expect(postOf(page, 2)).toContainText(member.user.name)
  await expect(live(page)).toBeVisible()
  await member.send('DELETE', '/auth/profile', { name: member.user.name, currentPassword: member.password })
  await expect(postOf(page, 2)).toContainText('名無し')
  await expect(postOf(page, 2)).toContainText('去る人の一言')
  await expect(postOf(page, 2).getByTitle('登録した会員の書き込みです')).toHaveCount(0)
  await expect(postsOf(page)).toHaveCount(2)
})
