/**
 * What a reader of 2ch does all day, in as few taps as in ChMate (docs/product.md#taps). Typing and
 * scrolling are no taps, as there.
 */
import type { Locator, Page } from '@playwright/test'
import { signUp, startThread, writePost, writePosts } from '../board.ts'
import { composerOf, enterThread, expect, openMenu, postOf, postsOf, readThrough, rowOf, test } from '../test.ts'

test.skip(({ isMobile }) => !isMobile, 'a mouse does not tap')

/** Taps, and counts them. */
function counter(): { readonly tap: (control: Locator) => Promise<void>; readonly taps: () => number } {
  let count = 0
  return {
    async tap(control) {
      count += 1
      await control.tap()
    },
    taps: () => count,
  }
}

const isLive = (page: Page) => expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
const numberOf = (page: Page, number: number) =>
  postOf(page, number).getByRole('link', { name: String(number), exact: true })

test('a category opens with one tap, and a thread at its first unread post with one', async ({ page, board }) => {
  const thread = await startThread(board, { title: '十の務め', category: 'economy' })
  await writePosts(board, thread._id, 59)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  await page.getByRole('form', { name: '書き込む' }).getByRole('link', { name: '最新へ' }).tap()
  await expect(postOf(page, 60)).toBeInViewport()
  await expect.poll(() => readThrough(page, thread._id)).toBe(60)
  await page.goto(board.url)
  const { tap, taps } = counter()
  await tap(page.getByRole('navigation', { name: 'カテゴリ', exact: true }).getByRole('link', { name: /経済/ }))
  await expect(page).toHaveURL(/\/categories\/economy$/)
  expect(taps()).toBe(1)
  // While the list is read, others write.
  await writePosts(board, thread._id, 3)
  await tap(rowOf(page, '十の務め'))
  await expect(postOf(page, 61)).toBeInViewport()
  await expect(page.getByText('ここまで読んだ', { exact: true })).toBeInViewport()
  expect(taps()).toBe(2)
})

test('a post is written with two taps, an answer begins with two, and new posts come with none', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await writePost(board, thread._id, '問いかけ')
  await enterThread(page, board, thread._id)
  await isLive(page)
  const written = counter()
  await written.tap(composerOf(page))
  await composerOf(page).fill('二度押すだけ')
  await written.tap(page.getByRole('button', { name: '送信', exact: true }))
  await expect(postOf(page, 3)).toContainText('二度押すだけ')
  expect(written.taps()).toBe(2)

  const answered = counter()
  await answered.tap(numberOf(page, 2))
  await answered.tap(page.getByRole('dialog', { name: '2の操作' }).getByRole('button', { name: /^返信/ }))
  await expect(composerOf(page)).toHaveValue('>>2\n')
  await expect(composerOf(page)).toBeFocused()
  expect(answered.taps()).toBe(2)

  await writePost(board, thread._id, '誰かの新着')
  await expect(postOf(page, 4)).toContainText('誰かの新着')
})

test('an anchor shows its post, and a name all posts of the person, with one tap each', async ({ page, board }) => {
  const thread = await startThread(board, { content: '始まり', nickname: '静かな忍者' })
  await writePost(board, thread._id, '>>1 ほかの人の話')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  const shown = counter()
  await shown.tap(postOf(page, 2).getByRole('link', { name: '>>1', exact: true }))
  await expect(page.getByRole('group', { name: '参照先の書き込み' })).toContainText('始まり')
  expect(shown.taps()).toBe(1)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: '参照先の書き込み' })).toBeHidden()

  const picked = counter()
  await picked.tap(postOf(page, 1).getByText('静かな忍者', { exact: true }))
  const results = page.getByRole('list', { name: '抽出した書き込み' }).getByRole('article')
  await expect(results).toHaveCount(1)
  await expect(results).toContainText('始まり')
  expect(picked.taps()).toBe(1)
})

test('a word in the thread is found with two taps', async ({ page, board }) => {
  const thread = await startThread(board, { content: '隠れ里の話' })
  await expect
    .poll(async () => {
      const path = `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent('隠れ里')}`
      return (await (await fetch(board.url + path)).text()).includes('"parts"')
    })
    .toBe(true)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  const { tap, taps } = counter()
  await tap(page.getByRole('button', { name: 'スレ内を検索' }))
  const find = page.getByRole('region', { name: 'スレ内を検索' })
  await expect(find.getByRole('searchbox')).toBeFocused()
  await find.getByRole('searchbox').fill('隠れ里')
  await find.getByRole('searchbox').press('Enter')
  await expect(find.getByRole('status')).toHaveText('1件')
  // The key that sends on a touch keyboard is a tap.
  expect(taps() + 1).toBe(2)
})

test('a thread becomes a favourite with one tap, and a person is hidden with two', async ({ page, board }) => {
  const thread = await startThread(board)
  // A member is a person; all others of this network are one.
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/posts`, { content: '静かな話' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await isLive(page)
  const kept = counter()
  await kept.tap(page.getByRole('button', { name: 'お気に入り', exact: true }))
  await expect(page.getByRole('button', { name: 'お気に入り', exact: true })).toHaveAttribute('aria-pressed', 'true')
  expect(kept.taps()).toBe(1)

  const hidden = counter()
  await hidden.tap(numberOf(page, 2))
  await hidden.tap(page.getByRole('dialog', { name: '2の操作' }).getByRole('button', { name: /この人をNG/ }))
  await expect(postOf(page, 2)).toHaveText(/あぼーん.*NG：ID/)
  expect(hidden.taps()).toBe(2)
  await expect(postsOf(page).filter({ hasText: '静かな話' })).toHaveCount(0)
  // The dialog offers the rest: words, patterns, links, pictures, answers, an end.
  await (await openMenu(page, 1)).getByRole('button', { name: /^NG…/ }).click()
  await expect(page.getByRole('dialog', { name: '1の書き込みをNGに入れる' })).toBeVisible()
})
