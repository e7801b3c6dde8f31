/** 忍法帖 as it grows: a day with a post is a level. */
import type { Page } from '@playwright/test'
import type { Scroll } from '@shinobi/contract/scroll'
import { atNoon, openBoard, startThread } from '../board.ts'
import { enterThread, expect, postOf, say, test } from '../test.ts'

/** How much is open, by level. */
const OPEN = [0, 0, 2, 6, 6, 7]

const levelOf = (page: Page) => page.locator('strong').filter({ hasText: /^\d+$/ })
const openingsOf = (page: Page) =>
  page.getByRole('region', { name: 'レベルで使えるようになること' }).getByRole('listitem').filter({ hasText: '済' })

test('five days with a post lift a browser to level 5, and each level opens what it says', async ({ page }) => {
  // Six starts of a board.
  test.slow()
  const board = await openBoard(atNoon())
  try {
    const { _id } = await startThread(board, { title: '毎朝の点呼' })
    for (let day = 0; day < 5; day += 1) {
      await page.goto(`${board.url}/scroll`)
      await expect(levelOf(page)).toHaveText(String(day))
      await expect(openingsOf(page)).toHaveCount(OPEN[day]!)

      if (day === 0) await enterThread(page, board, _id)
      else await page.goto(`${board.url}/thread/${_id}`)
      await say(page, `点呼${day} https://example.jp/${day}`)
      await expect(postOf(page, day + 2)).toContainText(`点呼${day}`)

      // Days are noted a moment after the post.
      const today = async () => ((await (await page.request.get(`${board.url}/api/scroll`)).json()) as Scroll).today
      await expect.poll(today).not.toBe('none')
      await page.goto(`${board.url}/scroll`)
      await expect(page.getByText(`日本時間の0時に、レベルが${day + 1}になります。`)).toBeVisible()
      await board.later(1)
    }

    await page.goto(`${board.url}/scroll`)
    await expect(levelOf(page)).toHaveText('5')
    await expect(openingsOf(page)).toHaveCount(OPEN[5]!)
    await page.goto(`${board.url}/thread/${_id}`)
    await expect(postOf(page, 2).getByRole('link', { name: /example/ })).toHaveCount(0)
    await expect(postOf(page, 6).getByRole('link', { name: /example/ })).toHaveCount(1)
  } finally {
    await board.close()
  }
})
