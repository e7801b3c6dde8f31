/** A new version of the board is installed while pages of the old one are open. */
import type { BrowserContext, Page } from '@playwright/test'
import { startThread } from '../board.ts'
import { composerOf, enterThread, expect, test } from '../test.ts'

const OFFER = '新しい版があります。'
const offerOf = (page: Page) => page.getByRole('status').filter({ hasText: OFFER })

/** From now on the server's page without content names the scripts of another build. */
async function install(context: BrowserContext): Promise<void> {
  await context.route('**/offline.html', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/\/assets\/[\w-]+\.js/, '/assets/first-another.js')
    await route.fulfill({ response, body })
  })
}

/** A page looks when its network returns, once it has looked for the first time. */
async function untilOffered(page: Page): Promise<void> {
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect(offerOf(page)).toBeVisible()
}

test('a new version is offered while somebody types, and what was typed is there after the update', async ({
  page,
  context,
  board,
}) => {
  const { _id } = await startThread(board)
  const looked = page.waitForRequest('**/offline.html')
  await enterThread(page, board, _id)
  await composerOf(page).fill('書きかけの便り')
  await looked
  await expect(offerOf(page)).toHaveCount(0)
  await install(context)
  await untilOffered(page)
  await expect(composerOf(page)).toHaveValue('書きかけの便り')

  // A link leads on within the page, because a text is being typed.
  await page.evaluate(() => Object.assign(window, { isOldPage: true }))
  await page.getByRole('contentinfo').getByRole('link', { name: '案内', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '忍板について' })).toBeVisible()
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(true)
  await page.goBack()
  await expect(composerOf(page)).toHaveValue('書きかけの便り')

  await composerOf(page).fill('書きかけの便り、続き')
  await context.unrouteAll({ behavior: 'wait' })
  await offerOf(page).getByRole('button', { name: '更新する' }).click()
  await expect(offerOf(page)).toHaveCount(0)
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(false)
  await expect(composerOf(page)).toHaveValue('書きかけの便り、続き')
})

test('where nothing is typed the next link loads the new version', async ({ page, context, board }) => {
  const looked = page.waitForRequest('**/offline.html')
  await page.goto(board.url)
  await looked
  await install(context)
  await untilOffered(page)
  await page.evaluate(() => Object.assign(window, { isOldPage: true }))
  await page.getByRole('contentinfo').getByRole('link', { name: '案内', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: '忍板について' })).toBeVisible()
  expect(await page.evaluate(() => 'isOldPage' in window)).toBe(false)
  // The new page looks as well.
  await context.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a part of the page that a new version has replaced leads to the same offer', async ({
  page,
  context,
  board,
  complaints,
}) => {
  const looked = page.waitForRequest('**/offline.html')
  await page.goto(board.url)
  await looked
  await install(context)
  await page.route(/assets\/about-page.*js/, (route) => route.fulfill({ status: 404, body: '' }))
  await page.getByRole('contentinfo').getByRole('link', { name: '案内', exact: true }).click()
  await expect(offerOf(page)).toBeVisible()
  await page.unroute(/assets\/about-page.*js/)
  await context.unrouteAll({ behavior: 'wait' })
  await offerOf(page).getByRole('button', { name: '更新する' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '忍板について' })).toBeVisible()
  complaints.splice(0)
})
