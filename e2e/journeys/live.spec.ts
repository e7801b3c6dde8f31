import { readPosts, startThread, writePost, writePosts } from '../board.ts'
import { composerOf, enterThread, expect, postOf, postsOf, say, test } from '../test.ts'

const numbersOf = (posts: readonly { number: number }[]): number[] => posts.map((post) => post.number)
const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1)

test('two visitors see each other’s posts without reloading @both', async ({ page, board, context }) => {
  const thread = await startThread(board)
  const other = await context.browser()!.newPage()
  await enterThread(page, board, thread._id)
  await enterThread(other, board, thread._id)
  for (const [index, [writer, reader]] of [
    [page, other],
    [other, page],
    [page, other],
  ].entries()) {
    await say(writer!, `やまびこ${index}`)
    await expect(postOf(reader!, index + 2)).toContainText(`やまびこ${index}`)
  }
  await expect(postsOf(page)).toHaveCount(4)
  await expect(postsOf(other)).toHaveCount(4)
  await other.close()
})

test('after a kill -9 and restart of the server, acknowledged posts exist and open pages catch up by themselves', async ({
  page,
  ownBoard: board,
}) => {
  const thread = await startThread(board)
  const reader = await page.context().browser()!.newPage()
  await enterThread(page, board, thread._id)
  await enterThread(reader, board, thread._id)
  await say(page, '落ちる前')
  await expect(postOf(reader, 2)).toContainText('落ちる前')

  await board.kill()
  await say(page, '落ちている間に書いた')
  await expect(composerOf(page)).toHaveValue('')
  await board.start()
  await writePost(board, thread._id, '戻った人の書き込み')
  await expect(postsOf(reader).filter({ hasText: '戻った人の書き込み' })).toHaveCount(1)
  await expect(postsOf(reader).filter({ hasText: '落ちている間に書いた' })).toHaveCount(1)
  await expect(postsOf(page).filter({ hasText: '落ちている間に書いた' })).toHaveCount(1)

  const stored = await readPosts(board, thread._id)
  expect(numbersOf(stored)).toEqual(upTo(4))
  await reader.close()
})

test('a page that was offline shows the posts it missed once, in order', async ({ page, board, context }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await context.setOffline(true)
  for (let index = 2; index <= 6; index += 1) await writePost(board, thread._id, `留守中の${index}`)
  await context.setOffline(false)
  await expect(postsOf(page)).toHaveCount(6)
  expect(await postsOf(page).evaluateAll((posts) => posts.map((post) => Number(post.id)))).toEqual(upTo(6))
})

test('a visitor who loses the network sees a notice, and the post is kept and goes when it is back', async ({
  page,
  board,
  context,
}) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await context.setOffline(true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  await say(page, '圏外から')
  await expect(page.getByRole('article').filter({ hasText: '圏外から' })).toContainText('電波が戻ったら送ります。')
  await expect(composerOf(page)).toHaveValue('')
  // At once: a notice would disappear by itself.
  expect(await page.getByText('電波が戻ったら送ります。').count()).toBe(1)
  // The keyboard would cover the post that waits.
  await expect(composerOf(page)).not.toBeFocused()
  await context.setOffline(false)
  await expect(postOf(page, 2)).toContainText('圏外から')
  await expect(postsOf(page)).toHaveCount(2)
})

test('without websockets the page polls every few seconds, and posting works', async ({ page, board }) => {
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await writePost(board, thread._id, '電波の届かない人へ')
  await expect(postOf(page, 2)).toContainText('電波の届かない人へ')
  await say(page, '届いています')
  await expect(postOf(page, 3)).toContainText('届いています')
  await expect(postsOf(page)).toHaveCount(3)
})

test('posts that arrive while reading cause no layout shift, and a pill leads to them @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 30; index += 1) await writePost(board, thread._id, `読みもの${index}\n二行目\n三行目`)
  await enterThread(page, board, thread._id)
  await postOf(page, 10).scrollIntoViewIfNeeded()
  const top = () => postOf(page, 10).evaluate((post) => Math.round(post.getBoundingClientRect().top))
  const before = await top()
  for (let index = 31; index <= 33; index += 1) await writePost(board, thread._id, `新しい${index}`)
  const pill = page.getByRole('button', { name: /新着 3 件/ })
  await expect(pill).toBeVisible()
  expect(await top()).toBe(before)
  await pill.click()
  await expect(postOf(page, 31)).toBeInViewport()
  await expect(pill).toBeHidden()
})

test('a press on the pill by keyboard moves the focus to the first new post', async ({ page, board }) => {
  const thread = await startThread(board)
  await writePosts(board, thread._id, 40)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await page.evaluate(() => scrollTo(0, 0))
  await writePosts(board, thread._id, 2)
  const pill = page.getByRole('button', { name: /新着 2 件/ })
  await expect(pill).toBeVisible()
  await expect(page.getByText('新着2件', { exact: true })).toBeAttached()
  await pill.press('Enter')
  await expect(postOf(page, 42)).toBeFocused()
  await expect(pill).toBeHidden()
  // The same words about others would not be told: nothing would change.
  await expect(page.getByText('新着2件', { exact: true })).toHaveCount(0)
})

test('a pill announces a post that arrives behind the composer at the end of the thread @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 20; index += 1) await writePost(board, thread._id, `読みもの${index}\n二行目`)
  await enterThread(page, board, thread._id)
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  // Scrolls to the end of the posts, with the footer out of sight, where a reader waits. Posts
  // above get their final heights only when they come near the view, which moves the end again:
  // repeat until it stays.
  const settle = async () => {
    const before = await postOf(page, 20).evaluate((post) => {
      post.scrollIntoView({ block: 'end' })
      return scrollY
    })
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
    return (await page.evaluate(() => scrollY)) - before
  }
  await expect.poll(async () => [await settle(), await settle(), await settle()]).toEqual([0, 0, 0])
  await writePost(board, thread._id, '続きが来た')
  const pill = page.getByRole('button', { name: /新着 1 件/ })
  await expect(pill).toBeVisible()
  // Without a real click: the driver would scroll the pill into view, and thereby the post.
  await pill.dispatchEvent('click')
  await expect(postOf(page, 21)).toBeInViewport()
  await expect(pill).toBeHidden()
})

test('typing any number of lines does not move the posts on the screen @both', async ({ page, board }) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 20; index += 1) await writePost(board, thread._id, `読みもの${index}\n二行目`)
  await enterThread(page, board, thread._id)
  await page.evaluate(() => window.scrollTo(0, 300))
  await composerOf(page).focus()
  for (const line of ['一行目', '二行目', '三行目', '四行目', '五行目']) {
    await page.keyboard.insertText(line)
    await page.keyboard.insertText('\n')
  }
  await expect(composerOf(page)).toHaveValue(/五行目/)
  expect(await page.evaluate(() => window.scrollY)).toBe(300)
})

test('a double click and two fast Enters send one post @both', async ({ page, board, isMobile }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await composerOf(page).fill('一度だけ')
  await page.getByRole('button', { name: '送信', exact: true }).dblclick()
  await expect(postOf(page, 2)).toContainText('一度だけ')
  // The post may be shown before its answer has come; until then nothing else is sent.
  await expect(composerOf(page)).toHaveValue('')
  if (!isMobile) {
    await composerOf(page).fill('二度目も一度だけ')
    await composerOf(page).press('Enter')
    await composerOf(page).press('Enter')
    await expect(postOf(page, 3)).toContainText('二度目も一度だけ')
  }
  await writePost(board, thread._id, '締め')
  await expect(postsOf(page).last()).toContainText('締め')
  await expect(postsOf(page).filter({ hasText: '一度だけ' })).toHaveCount(isMobile ? 1 : 2)
})
