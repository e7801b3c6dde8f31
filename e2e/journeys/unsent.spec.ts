/** Posts that wait for the server: written without a network, or sent without an answer. */
import type { BrowserContext, Page } from '@playwright/test'
import { readPosts, signUp, startThread, writePost, type Board } from '../board.ts'
import { composerOf, enterThread, expect, logIn, postOf, postsOf, saidOnPage, say, test } from '../test.ts'

test.use({ serviceWorkers: 'allow' })

const WAITS = '電波が戻ったら送ります。'
const BANNED = 'お前は死 ね'
const unsentOf = (page: Page) => page.getByRole('region', { name: 'まだ送っていない自分の書き込み' })
const textsOf = async (board: Board, threadId: string) =>
  (await readPosts(board, threadId)).map(({ content }) => content).slice(1)

/** Waits until the browser can open the thread without a network. */
async function waitUntilKept(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(async () => (await caches.match('/offline.html')) !== undefined)).toBe(true)
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

async function openInstalled(page: Page, board: Board, name?: string): Promise<string> {
  const { _id } = await startThread(board)
  await enterThread(page, board, _id, name)
  await waitUntilKept(page)
  return _id
}

test('posts written without a network, in a tab that is closed, are in the thread once and in order after the return', async ({
  page,
  context,
  board,
}) => {
  const threadId = await openInstalled(page, board)
  await context.setOffline(true)
  await say(page, '一つ目の便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await expect(composerOf(page)).toHaveValue('')
  await say(page, '二つ目の便り')
  await expect(unsentOf(page).getByRole('article')).toHaveCount(2)
  await page.close()

  // Still without a network, two tabs show what waits.
  const tabs = [await context.newPage(), await context.newPage()]
  for (const tab of tabs) {
    await tab.goto(`${board.url}/thread/${threadId}`)
    await expect(unsentOf(tab).getByRole('article')).toHaveCount(2)
    await expect(composerOf(tab)).toHaveValue('')
  }
  await writePost(board, threadId, 'ほかの人の便り')
  await context.setOffline(false)
  for (const tab of tabs) {
    await expect(postsOf(tab)).toHaveCount(4)
    await expect(unsentOf(tab)).toHaveCount(0)
    await expect(postOf(tab, 3)).toContainText('一つ目の便り')
    await expect(postOf(tab, 4)).toContainText('二つ目の便り')
  }
  expect(await textsOf(board, threadId)).toEqual(['ほかの人の便り', '一つ目の便り', '二つ目の便り'])
})

test('a post whose answer was lost with the page is neither lost nor written twice', async ({
  page,
  context,
  board,
}) => {
  const { _id: threadId } = await startThread(board)
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  let isStored = () => {}
  const stored = new Promise<void>((resolve) => {
    isStored = resolve
  })
  await page.route(`**/api/threads/${threadId}/posts`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await route.fetch()
    isStored()
    // The answer never comes.
  })
  await enterThread(page, board, threadId)
  await say(page, '返事のない便り')
  await stored
  await page.close()

  const later = await context.newPage()
  await later.goto(`${board.url}/thread/${threadId}`)
  await expect(postOf(later, 2)).toContainText('返事のない便り')
  await expect(composerOf(later)).toHaveValue('')
  await expect(unsentOf(later)).toHaveCount(0)
  // It is known as an own post.
  await expect(postOf(later, 2)).toContainText('自分の書き込み')
  expect(await textsOf(board, threadId)).toEqual(['返事のない便り'])
})

test('posts written before and after the clock was set back go in the order of writing', async ({
  page,
  context,
  board,
}) => {
  const { _id: threadId } = await startThread(board)
  await enterThread(page, board, threadId)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await say(page, '先の便り')
  await expect(unsentOf(page).getByRole('article')).toHaveCount(1)
  await page.evaluate(() => {
    const now = Date.now
    Date.now = () => now() - 3_600_000
  })
  await say(page, '後の便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(['先の便り', '後の便り'])
  await context.setOffline(false)
  await expect(postOf(page, 3)).toBeVisible()
  expect(await textsOf(board, threadId)).toEqual(['先の便り', '後の便り'])
})

test('a waiting post can be taken back or edited, with its picture', async ({ page, context, board }) => {
  const { _id: threadId } = await startThread(board)
  await enterThread(page, board, threadId)
  await composerOf(page).fill('準備')
  await context.setOffline(true)
  await say(page, '取り消す便り')
  await unsentOf(page).getByRole('button', { name: '取り消す' }).click()
  await expect(unsentOf(page)).toHaveCount(0)

  await composerOf(page).evaluate(async (field) => {
    const canvas = new OffscreenCanvas(40, 20)
    canvas.getContext('2d')!.fillRect(0, 0, 40, 20)
    const files = new DataTransfer()
    files.items.add(new File([await canvas.convertToBlob({ type: 'image/png' })], 'paste.png', { type: 'image/png' }))
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: files, bubbles: true, cancelable: true }))
  })
  await expect(page.getByRole('img', { name: '添付する画像のプレビュー' })).toBeVisible()
  await say(page, '絵のある便り')
  await expect(unsentOf(page).getByRole('img')).toBeVisible()
  await unsentOf(page).getByRole('button', { name: '編集' }).click()
  await expect(composerOf(page)).toHaveValue('絵のある便り')
  await expect(page.getByRole('img', { name: '添付する画像のプレビュー' })).toBeVisible()
  await say(page, '直した便り')
  await expect(unsentOf(page).getByRole('article')).toContainText('直した便り')
  await context.setOffline(false)
  await expect(postOf(page, 2)).toContainText('直した便り')
  await expect(postOf(page, 2).getByRole('img')).toBeVisible()
  expect(await textsOf(board, threadId)).toEqual(['直した便り'])
})

test.describe('without the worker', () => {
  test.use({ serviceWorkers: 'block' })

  test('a post that its writer wanted to edit, and left before the attempt under way ended, is not lost', async ({
    page,
    context,
    board,
  }) => {
    const { _id: threadId } = await startThread(board)
    await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
    await enterThread(page, board, threadId)
    await context.setOffline(true)
    await say(page, '直したい便り')
    await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
    const attempt = Promise.withResolvers<void>()
    const isEnded = Promise.withResolvers<void>()
    await page.route(`**/api/threads/${threadId}/posts`, async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      attempt.resolve()
      await isEnded.promise
      await route.abort()
    })
    await context.setOffline(false)
    await attempt.promise
    await unsentOf(page).getByRole('button', { name: '編集' }).click()
    await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: '帳面' })).toBeVisible()
    isEnded.resolve()
    // Until nobody holds the lock of the thread, or waits for it.
    await page.evaluate((id) => navigator.locks.request(`unsent ${id}`, () => {}), threadId)
    await page.goBack()
    await expect(unsentOf(page).getByRole('article')).toContainText('直したい便り')
  })
})

test('a refused post is told wherever the visitor is, and its text stays until it is taken back', async ({
  page,
  context,
  board,
}) => {
  const threadId = await openInstalled(page, board)
  await context.setOffline(true)
  await say(page, BANNED)
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await say(page, 'やさしい便り')
  await expect(unsentOf(page).getByRole('article')).toHaveCount(2)
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: '帳面' })).toBeVisible()
  await context.setOffline(false)
  const notice = page.getByRole('alert').filter({ hasText: '送れませんでした' })
  await expect(notice).toContainText('使えない言葉が含まれているため')
  await expect(notice).toContainText(BANNED)
  await notice.getByRole('link', { name: 'スレッドで直す' }).click()
  // It is told once: where the post is on screen, the notice is not needed.
  await unsentOf(page).scrollIntoViewIfNeeded()
  await expect(notice).toHaveCount(0)
  await expect(unsentOf(page).getByRole('article')).toContainText('使えない言葉が含まれているため')

  await page.reload()
  await unsentOf(page).getByRole('button', { name: '編集' }).click()
  await expect(composerOf(page)).toHaveValue(BANNED)
  await expect(notice).toHaveCount(0)
  await say(page, 'やわらかな便り')
  await expect(postOf(page, 3)).toContainText('やわらかな便り')
  await expect(unsentOf(page)).toHaveCount(0)
  expect(await textsOf(board, threadId)).toEqual(['やさしい便り', 'やわらかな便り'])
})

/** What the browser does when the network is back and no page of the board is open. */
async function dispatchSync(context: BrowserContext, board: Board): Promise<void> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const registrationId = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ scopeURL }) => scopeURL.startsWith(board.url))
      if (found !== undefined) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  await session.send('ServiceWorker.dispatchSyncEvent', {
    origin: board.url,
    registrationId: await registrationId,
    tag: 'unsent',
    lastChance: false,
  })
  await page.close()
}

test('the worker sends what waits without any page, and the next page knows it as an own post', async ({
  page,
  context,
  board,
}) => {
  const threadId = await openInstalled(page, board, '風の忍')
  await context.setOffline(true)
  await say(page, '閉じたあとに届く便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await page.close()
  await context.setOffline(false)
  await dispatchSync(context, board)
  await expect.poll(() => textsOf(board, threadId)).toEqual(['閉じたあとに届く便り'])
  expect((await readPosts(board, threadId))[1]!.name).toBe('風の忍')

  const later = await context.newPage()
  await later.goto(`${board.url}/thread/${threadId}`)
  await expect(postOf(later, 2)).toContainText('自分の書き込み')
  await expect(unsentOf(later)).toHaveCount(0)
  expect(await textsOf(board, threadId)).toEqual(['閉じたあとに届く便り'])
})

test('a post that goes while its writer reads another page is told there', async ({ page, context, board }) => {
  const { _id: threadId } = await startThread(board, { title: '遠い里' })
  await enterThread(page, board, threadId)
  await context.setOffline(true)
  await say(page, '旅先の便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await page.close()
  await context.setOffline(false)
  const later = await context.newPage()
  const told = saidOnPage(later, '送信を待っていた書き込みを「遠い里」に送りました。')
  await later.goto(`${board.url}/about`)
  await told
  expect(await textsOf(board, threadId)).toEqual(['旅先の便り'])
})

test('emptying the notebook removes what waits as well', async ({ page, context, board }) => {
  const threadId = await openInstalled(page, board)
  await context.setOffline(true)
  await say(page, '消える便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await page.getByRole('banner').getByRole('link', { name: /^帳面/ }).click()
  await page.getByRole('button', { name: 'すべて消す' }).click()
  const emptied = saidOnPage(page, '帳面をすべて消しました。')
  await page.getByRole('dialog').getByRole('button', { name: 'すべて消す' }).click()
  await emptied
  await context.setOffline(false)
  await page.goto(`${board.url}/thread/${threadId}`)
  await expect(postsOf(page)).toHaveCount(1)
  await expect(unsentOf(page)).toHaveCount(0)
  expect(await textsOf(board, threadId)).toEqual([])
})

/** Sets the time back at which the waiting posts were written. */
const ageUnsent = (page: Page, hours: number): Promise<void> =>
  page.evaluate(async (ms) => {
    const done = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await done(indexedDB.open('unsent'))
    const store = database.transaction('posts', 'readwrite').objectStore('posts')
    for (const post of (await done(store.getAll())) as { wantedAt: number }[])
      await done(store.put({ ...post, wantedAt: post.wantedAt - ms }))
    database.close()
  }, hours * 3_600_000)

test('a post that has waited for more than a day asks before it goes', async ({ page, context, board }) => {
  const threadId = await openInstalled(page, board)
  await context.setOffline(true)
  await say(page, '古い便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await ageUnsent(page, 25)
  await page.goto(`${board.url}/about`).catch(() => {})
  await context.setOffline(false)
  await page.goto(`${board.url}/thread/${threadId}`)
  await expect(unsentOf(page).getByRole('article')).toContainText('書いてから1日以上たちました。')
  // A new one does not wait for the decision.
  await say(page, '新しい便り')
  await expect(postOf(page, 2)).toContainText('新しい便り')
  await unsentOf(page).getByRole('button', { name: '送る' }).click()
  await expect(postOf(page, 3)).toContainText('古い便り')
  await expect(unsentOf(page)).toHaveCount(0)
})

test('what was written without an account does not go under a member’s name by itself', async ({
  page,
  context,
  board,
}) => {
  const threadId = await openInstalled(page, board, '名もなき忍')
  await context.setOffline(true)
  await say(page, '内緒の便り')
  await expect(unsentOf(page).getByRole('article')).toContainText(WAITS)
  await page.close()
  await context.setOffline(false)
  const member = await signUp(board)
  await logIn(context, board, member)
  const later = await context.newPage()
  await later.goto(`${board.url}/thread/${threadId}`)
  await expect(unsentOf(later).getByRole('article')).toContainText('会員の名前で送れます')
  await writePost(board, threadId, 'ほかの人の便り')
  await expect(postOf(later, 2)).toContainText('ほかの人の便り')
  await unsentOf(later).getByRole('button', { name: '編集' }).click()
  await expect(composerOf(later)).toHaveValue('内緒の便り')
  await later.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(later, 3)).toContainText(member.user.name)
  expect(await textsOf(board, threadId)).toEqual(['ほかの人の便り', '内緒の便り'])
})
