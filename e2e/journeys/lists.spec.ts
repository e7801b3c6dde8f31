/** Lists of threads: the way to each category. */
import type { Page } from '@playwright/test'
import { FEATURED_CATEGORIES } from '@shinobi/contract/limits'
import { startThread, writePost } from '../board.ts'
import { expect, test } from '../test.ts'

const categoriesOf = (page: Page) => page.getByRole('navigation', { name: 'カテゴリ', exact: true })
/** Ways to a new thread that are seen, beside the link 作成 of the wide header. */
const creators = (page: Page) =>
  page.getByRole('link', { name: 'スレッドを作成' }).or(page.getByRole('button', { name: 'スレッドを作成' }))

test('every category is reached from the lists, the busiest first, and the one shown is marked', async ({
  page,
  ownBoard: board,
  isMobile,
}) => {
  const thread = await startThread(board, { category: 'general' })
  await writePost(board, thread._id, '賑わい')
  await page.goto(board.url)
  const links = categoriesOf(page).getByRole('link')
  await expect(links.first()).toHaveText('💬 雑談')
  // A phone has a strip of all seven; beside the list stand six, and the way to the others.
  await expect(links).toHaveCount(isMobile ? 7 : FEATURED_CATEGORIES + 1)
  if (isMobile) {
    const last = links.last()
    await last.scrollIntoViewIfNeeded()
    await expect(last).toBeInViewport({ ratio: 1 })
    for (const control of [page.getByLabel('スレッドを検索'), page.getByLabel('並び順'), ...(await links.all())])
      expect((await control.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  } else await expect(links.last()).toHaveAttribute('href', '/categories')

  await links.first().click()
  await expect(page).toHaveURL(/\/categories\/general$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('💬 雑談')
  await expect(page.getByRole('heading', { name: 'スレッド一覧' })).toBeVisible()
  const current = categoriesOf(page).locator('[aria-current=page]')
  await expect(current).toHaveText('💬 雑談')
  await expect(current).toHaveCSS('font-weight', '700')
  await expect(current).toBeInViewport({ ratio: 1 })
})

test('one way to a new thread is seen on every screen that has one', async ({ page, board, isMobile }) => {
  const thread = await startThread(board)
  for (const path of ['/', '/ranking', '/categories/politics', '/create', `/thread/${thread._id}`]) {
    await page.goto(board.url + path)
    await expect(creators(page), path).toHaveCount(1)
  }
  // Elsewhere it is in the header: as a sign on a phone, as a word on wide screens.
  await page.goto(`${board.url}/about`)
  await expect(creators(page)).toHaveCount(isMobile ? 1 : 0)
})
