import { messages } from '@shinobi/contract/messages'
import { readPosts, startThread, type Board } from '../board.ts'
import { composerOf, enterThread, expect, openMenu, postOf, say, test } from '../test.ts'

const bodyOf = async (board: Board, path: string): Promise<string> => (await fetch(board.url + path)).text()

test('a visitor deletes a slip, which is gone from every screen, list, search and feed, and writes it anew', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board, { title: '書き損じの部屋' })
  const reader = await context.newPage()
  await reader.goto(`${board.url}/thread/${thread._id}`)
  await enterThread(page, board, thread._id)
  await say(page, '住所は忍びの里一丁目')
  await expect(postOf(page, 2)).toContainText('忍びの里')
  await expect(postOf(reader, 2)).toContainText('忍びの里')
  const places = [
    `/thread/${thread._id}`,
    `/api/threads/${thread._id}/posts`,
    `/api/threads?search=${encodeURIComponent('忍びの里')}`,
    '/feed.xml',
  ]
  await expect.poll(() => bodyOf(board, places[2]!)).toContain(thread._id)

  const menu = await openMenu(page, 2)
  // A double press asks, and takes the question back.
  await menu.getByRole('button', { name: /^削除/ }).dblclick()
  await expect(menu.getByRole('button', { name: /^削除/ })).toBeVisible()
  await menu.getByRole('button', { name: /^削除/ }).click()
  await menu.getByRole('button', { name: '本当に削除する' }).click()
  for (const screen of [page, reader]) {
    await expect(postOf(screen, 2)).toContainText(messages.post_withdrawn)
    await expect(postOf(screen, 2).locator('header')).toContainText('削除')
    await expect(postOf(screen, 2).locator('header')).not.toContainText('名無し')
  }
  for (const place of places) await expect.poll(() => bodyOf(board, place)).not.toContain('住所は忍びの里')
  await expect(postOf(reader, 2).getByRole('button', { name: '書き直す' })).toBeHidden()
  await postOf(page, 2).getByRole('button', { name: '書き直す' }).click()
  await expect(composerOf(page)).toHaveValue('住所は忍びの里一丁目')
  await expect(postOf(page, 2).getByRole('button', { name: '書き直す' })).toBeHidden()
  expect((await readPosts(board, thread._id)).map(({ withdrawn }) => withdrawn)).toEqual([undefined, true])
})

test('a post can be deleted by its writer alone, and not any more after ten minutes', async ({
  page,
  browser,
  board,
}) => {
  const thread = await startThread(board, { title: '時の部屋' })
  await page.clock.install()
  await enterThread(page, board, thread._id)
  await say(page, 'すぐの言葉')
  const deletion = (await openMenu(page, 2)).getByRole('button', { name: /^削除/ })
  await expect(deletion).toBeVisible()
  await page.keyboard.press('Escape')
  await page.clock.fastForward('10:01')
  const menu = await openMenu(page, 2)
  await expect(menu.getByRole('button', { name: /通報/ })).toBeVisible()
  await expect(deletion).toBeHidden()

  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(`${board.url}/thread/${thread._id}`)
  const theirs = await openMenu(stranger, 2)
  await expect(theirs.getByRole('button', { name: /通報/ })).toBeVisible()
  await expect(theirs.getByRole('button', { name: /^削除/ })).toBeHidden()
  await stranger.context().close()
})
