/** Threads are fetched shortly before they are opened. */
import type { Page } from '@playwright/test'
import type { Thread } from '@shinobi/contract/threads'
import { startThread, writePost } from '../board.ts'
import { expect, postOf, repeatUntil, rowOf, saveData, test } from '../test.ts'

test.use({ prefetches: true })

const postsUrl = ({ _id }: { _id: string }) => new RegExp(`/api/threads/${_id}/posts`)

/** Nothing of the server's calls is answered any more. */
const holdCalls = (page: Page): Promise<unknown> => page.route('**/api/**', () => {})

test('a thread on top of a list shows its posts at once, and was not read before it was opened', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board, { title: '先に読み込む巻物', category: 'rant' })
  await writePost(board, thread._id, '待たずに読める一文')
  const fetched = page.waitForResponse(postsUrl(thread))
  const code = page.waitForResponse(/thread-page-.*\.js/)
  await page.goto(`${board.url}/categories/rant`)
  await (await fetched).finished()
  await (await code).finished()
  expect(await context.cookies()).toEqual([])
  await page.goto(`${board.url}/notebook?list=history`)
  await expect(page.getByText('先に読み込む巻物')).toBeHidden()

  const again = page.waitForResponse(postsUrl(thread))
  await page.goto(`${board.url}/categories/rant`)
  await (await again).finished()
  await holdCalls(page)
  await rowOf(page, thread.title).click()
  await expect(postOf(page, 2)).toContainText('待たずに読める一文')
})

test('a press on a link fetches the thread before it is released', async ({ page, board }) => {
  const threads: Thread[] = []
  for (let index = 1; index <= 6; index += 1) {
    threads.push(await startThread(board, { title: `指の下の巻物${index}`, category: 'economy' }))
  }
  const started = page.waitForResponse(/prefetch-threads-.*\.js/)
  await page.goto(`${board.url}/categories/economy`)
  await started
  const link = rowOf(page, threads[0]!.title)
  await link.scrollIntoViewIfNeeded()
  let isAsked = false
  page.on('request', (request) => {
    isAsked ||= postsUrl(threads[0]!).test(request.url())
  })
  await repeatUntil(
    () => link.dispatchEvent('pointerdown', { bubbles: true, pointerType: 'touch' }),
    (patience) => expect.poll(() => isAsked, patience).toBe(true),
  )
  await expect(page).toHaveURL(/economy/)
})

test('nothing is fetched before it is opened for a visitor who saves data', async ({ page, context, board }) => {
  await saveData(context)
  const thread = await startThread(board, { title: '節約の巻物', category: 'world' })
  const asked: string[] = []
  page.on('request', (request) => {
    if (postsUrl(thread).test(request.url())) asked.push(request.url())
  })
  const started = page.waitForResponse(/prefetch-threads-.*\.js/)
  await page.goto(`${board.url}/categories/world`)
  await (await started).finished()
  const link = rowOf(page, thread.title)
  await link.hover()
  await link.dispatchEvent('pointerdown', { bubbles: true, pointerType: 'mouse' })
  await page.waitForLoadState('networkidle')
  expect(asked).toEqual([])
  await link.click()
  await expect(postOf(page, 1)).toBeVisible()
  expect(asked).toHaveLength(1)
})
