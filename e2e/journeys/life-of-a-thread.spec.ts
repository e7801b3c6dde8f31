/** A thread near its limit, full, and continued: seals, the next thread, and past logs. */
import type { Page } from '@playwright/test'
import type { AdminCategory } from '@shinobi/contract/categories'
import { THREAD_POSTS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Thread } from '@shinobi/contract/threads'
import type { WordRule } from '@shinobi/contract/words'
import { test } from '../admin-board.ts'
import { readPosts, startThread, writePost, writePosts, type Board, type Member } from '../board.ts'
import { composerOf, enterThread, expect, logIn, postsOf, repeatUntil, say } from '../test.ts'

/** The smallest limit that an administrator can set. */
const LIMIT = 100

test.beforeEach(async ({ admin }) => {
  await admin.send('PUT', '/api/admin/settings', { postLimit: LIMIT })
})
test.afterAll(async ({ admin }) => {
  await admin.send('PUT', '/api/admin/settings', { postLimit: THREAD_POSTS })
})

async function writeUpTo(board: Board, thread: Thread, last: number, from = thread.postCount): Promise<void> {
  for (let number = from + 1; number <= last; number += 1) await writePost(board, thread._id, `${number}番目`)
}
async function fillThread(board: Board, last: number, title: string, category = 'general'): Promise<Thread> {
  const thread = await startThread(board, { title, category })
  await writeUpTo(board, thread, last)
  return thread
}

const readCategories = async (admin: Member): Promise<AdminCategory[]> =>
  (await admin.send<{ categories: AdminCategory[] }>('GET', '/api/admin/categories')).categories

const end = (page: Page) => page.getByRole('region', { name: 'スレッドの終わり' })
const neighbours = (page: Page) => page.getByRole('navigation', { name: '前後のスレッド' })
const heading = (page: Page) => page.getByRole('main').getByRole('banner').or(page.locator('main header')).first()
const create = (page: Page) => page.getByRole('button', { name: 'スレッドを作成' })

test('a thread nears its end, is full and goes on in the next one, and typed text goes with its writer @both', async ({
  page,
  run: board,
  admin,
  browser,
}) => {
  const thread = await fillThread(board, 94, '夜更けの雑談 ★2')
  const { _id: wordId } = await admin.send<WordRule>('POST', '/api/admin/words', { word: '待たされる', action: 'hold' })
  // With its last posts, after which the waiting ones stand.
  await enterThread(page, board, `${thread._id}/l50`, '筆の遅い忍者')
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect(end(page)).toHaveCount(0)
  await say(page, '待たされる一言')
  await expect(page.getByText('確認待ち', { exact: true })).toBeVisible()
  await admin.send('DELETE', `/api/admin/words/${wordId}`)
  await composerOf(page).fill('届かなかった言葉')

  await writeUpTo(board, thread, 95, 94)
  await expect(heading(page)).toContainText('まもなく完走')
  await expect(end(page)).toContainText('あと5件で終わります。')

  // While one visitor types, others write the last posts.
  await writeUpTo(board, thread, LIMIT, 95)
  await expect(heading(page)).toContainText('過去ログ')
  await expect(page.getByText(messages.thread_full(LIMIT))).toBeVisible()
  await expect(composerOf(page)).toHaveValue('届かなかった言葉')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: messages.thread_full(LIMIT) })).toBeVisible()
  await expect(composerOf(page)).toHaveValue('届かなかった言葉')
  await page.getByRole('button', { name: '取り下げる' }).click()
  await expect(composerOf(page)).toHaveValue('届かなかった言葉\n待たされる一言')

  // Somebody else opens the next thread.
  const context = await browser.newContext()
  const opener = await context.newPage()
  // With its last posts: others that arrive would move the link under the press.
  await opener.goto(`${board.url}/thread/${thread._id}/l50`)
  await expect(composerOf(opener)).toBeHidden()
  await end(opener).getByRole('link', { name: '次スレを立てる' }).click()
  await expect(opener).toHaveURL(`${board.url}/create?previous=${thread._id}`)
  await expect(opener.getByLabel(/^タイトル/)).toHaveValue('夜更けの雑談 ★3')
  await expect(opener.getByLabel(/^内容/)).toHaveValue(
    new RegExp(`^前スレ http://localhost:\\d+/thread/${thread._id}\n\n$`),
  )
  await expect(opener.getByLabel('カテゴリ')).toHaveValue('general')
  await create(opener).click()
  await opener.getByRole('article').getByRole('link', { name: '夜更けの雑談 ★3' }).click()
  // At the top, and at the end.
  await expect(neighbours(opener).getByRole('link', { name: '前スレ 夜更けの雑談 ★2' })).toHaveCount(2)
  // The address of a newcomer is text; the thread's heading links the earlier one.
  await expect(postsOf(opener).first()).toContainText(`/thread/${thread._id}`)
  await context.close()

  // The reader of the full thread sees it at once, and takes the text along.
  const next = neighbours(page).getByRole('link', { name: '次スレ 夜更けの雑談 ★3' })
  await expect(next).toHaveCount(2)
  await expect(end(page).getByRole('link', { name: '次スレを立てる' })).toHaveCount(0)
  // By the key: posts that are loaded near the end would move the link under the pointer.
  await next.last().press('Enter')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('夜更けの雑談 ★3')
  await expect(composerOf(page)).toHaveValue('届かなかった言葉\n待たされる一言')
  await page.getByRole('button', { name: 'この名前で書き込む' }).click()
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postsOf(page).last()).toContainText('届かなかった言葉')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('夜更けの雑談 ★2')
  await expect(end(page)).toBeVisible()
  await expect(composerOf(page)).toBeHidden()
})

test('twenty writers at once fill a thread of 1,000, and one whose post has no room keeps the text @both', async ({
  page,
  run: board,
  admin,
}) => {
  await admin.send('PUT', '/api/admin/settings', { postLimit: THREAD_POSTS })
  const thread = await startThread(board, { title: '千の夜 ★1' })
  await writePosts(board, thread._id, THREAD_POSTS - 11)
  await enterThread(page, board, thread._id, '出遅れた忍者')
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect(heading(page)).toContainText('まもなく完走')
  await composerOf(page).fill('千一番目の言葉')

  const posts = Array.from({ length: 20 }, (_, index) => writePost(board, thread._id, `同時に書いた${index}`))
  const outcomes = await Promise.allSettled(posts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  const numbers = (await readPosts(board, thread._id)).map(({ number }) => number)
  expect(numbers).toEqual(Array.from({ length: THREAD_POSTS }, (_, index) => index + 1))

  await expect(heading(page)).toContainText('過去ログ')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: messages.thread_full(THREAD_POSTS) })).toBeVisible()
  await expect(composerOf(page)).toHaveValue('千一番目の言葉')
  // At the end of the thread is the next one.
  await page.goto(`${board.url}/thread/${thread._id}/l50`)
  await end(page).getByRole('link', { name: '次スレを立てる' }).click()
  await expect(page.getByLabel(/^タイトル/)).toHaveValue('千の夜 ★2')
})

test('who opens the next thread second is told so, keeps the text and gets the link', async ({ page, run: board }) => {
  const old = await fillThread(board, 95, '重なる次スレ')
  await page.goto(`${board.url}/create?previous=${old._id}`)
  await expect(page.getByLabel(/^タイトル/)).toHaveValue('重なる次スレ ★2')
  const content = page.getByLabel(/^内容/)
  // Hydration can move the cursor between the driver's selecting and its typing.
  await repeatUntil(
    () => content.fill('二番目の書き出し'),
    (patience) => expect(content).toHaveValue('二番目の書き出し', patience),
  )
  await startThread(board, { title: '一番乗り', previousThreadId: old._id })
  await create(page).click()
  await expect(page.getByText(messages.next_thread_exists).first()).toBeVisible()
  await expect(content).toHaveValue('二番目の書き出し')
  await page.getByRole('link', { name: '一番乗り' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('一番乗り')
})

test('full threads are listed as past logs of the board and of their category, also without scripts', async ({
  page,
  run: board,
  browser,
}) => {
  const thread = await fillThread(board, LIMIT, '語り尽くした夜', 'rant')
  await page.goto(`${board.url}/categories/rant`)
  const row = page.getByRole('article').filter({ has: page.getByRole('link', { name: '語り尽くした夜', exact: true }) })
  await expect(row).toContainText('過去ログ')
  await page.getByRole('main').getByRole('link', { name: '過去ログ', exact: true }).click()
  await expect(page).toHaveURL(`${board.url}/categories/rant/past`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('過去ログ')
  await page.getByRole('link', { name: '語り尽くした夜', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('語り尽くした夜')

  const plain = await browser.newPage({ javaScriptEnabled: false })
  await plain.goto(`${board.url}/past`)
  await expect(plain.getByRole('link', { name: '語り尽くした夜', exact: true })).toBeVisible()
  await plain.goto(`${board.url}/thread/${thread._id}`)
  await expect(plain.getByText(messages.thread_full(LIMIT))).toBeVisible()
  await end(plain).getByRole('link', { name: '次スレを立てる' }).click()
  await expect(plain.getByLabel(/^タイトル/)).toHaveValue('語り尽くした夜 ★2')
  await plain.close()
})

test('an administrator gives a category a limit of its own, and mends its description', async ({
  page,
  context,
  run: board,
  admin,
}) => {
  await logIn(context, board, admin)
  await page.goto(`${board.url}/admin/categories`)
  await page.getByRole('button', { name: 'カテゴリ「world」の設定を変更' }).click()
  const dialog = page.getByRole('dialog', { name: 'カテゴリの設定' })
  // Another administrator changes another part meanwhile.
  const { _id } = (await readCategories(admin)).find(({ name }) => name === 'world')!
  await admin.send('PUT', `/api/admin/categories/${_id}`, { posterIds: 'day' })
  const field = dialog.getByLabel('1スレッドの書き込みの上限')
  await field.fill('99')
  await expect(dialog.getByText(messages.setting_range(100, 10_000))).toBeVisible()
  await field.fill('２００')
  await dialog.getByLabel('説明（任意）').fill('世の中の動き')
  await dialog.getByRole('button', { name: '変更する' }).click()
  await expect(page.getByRole('row').filter({ hasText: 'world' })).toContainText('200件')
  await expect(page.getByRole('row').filter({ hasText: 'world' })).toContainText('世の中の動き')
  expect((await readCategories(admin)).find((category) => category._id === _id)).toMatchObject({ posterIds: 'day' })
  await admin.send('PUT', `/api/admin/categories/${_id}`, { posterIds: 'thread' })
  const thread = await startThread(board, { category: 'world' })
  expect(thread.postLimit).toBe(200)
})

test('posts go on in a thread below its limit', async ({ page, run: board }) => {
  const thread = await fillThread(board, 3, 'まだ若いスレッド')
  await enterThread(page, board, thread._id, '若い忍者')
  await say(page, '四番目')
  await expect(postsOf(page)).toHaveCount(4)
  await expect(end(page)).toHaveCount(0)
})
