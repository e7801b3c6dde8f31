/**
 * Rendered pages are the same for everybody, byte for byte: nothing personal may reach a shared
 * cache.
 */
import type { APIRequestContext, APIResponse, Page } from '@playwright/test'
import { startThread, writePost } from '../board.ts'
import { expect, test } from '../test.ts'

test('two members, a visitor and a stranger get the same bytes of every public page and file', async ({
  board,
  playwright,
}) => {
  const thread = await startThread(board, { title: '誰が見ても同じ頁' })
  await writePost(board, thread._id, '二番目の書き込み')
  const visitors = await Promise.all(
    Array.from({ length: 4 }, () =>
      playwright.request.newContext({ baseURL: board.url, extraHTTPHeaders: { origin: board.url } }),
    ),
  )
  const [kaede, tsubaki, visitor, stranger] = visitors as [
    APIRequestContext,
    APIRequestContext,
    APIRequestContext,
    APIRequestContext,
  ]
  for (const [index, member] of [kaede, tsubaki].entries()) {
    const answer = await member.post('/auth/register', {
      data: {
        username: `頁を見る者${index}`,
        email: `page-reader-${index}-${thread._id}@example.jp`,
        password: 'a secret of ninjas 42',
      },
    })
    expect(answer.status()).toBe(201)
    await member.post(`/api/threads/${thread._id}/like`)
  }
  await visitor.post(`/api/threads/${thread._id}/checkNickname`, { data: { nickname: '旅の者' } })

  const home = await (await stranger.get('/')).text()
  const files = [...home.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
  const pages = [
    ...['/', '/ranking', '/create', '/categories', '/categories/general', '/about', '/terms', '/moderation-log'],
    ...['/?search=頁', '/?sort=liked', '/forgot-password', '/reset-password', '/verify-email', '/robots.txt'],
    `/thread/${thread._id}`,
    `/thread/${thread._id}?last=50`,
    ...files.filter((path) => !/^\/(login|register|profile)/.test(path)),
  ]
  const told = async (answer: APIResponse) => ({
    status: answer.status(),
    body: (await answer.body()).toString('base64'),
    etag: answer.headers()['etag'],
    cookie: answer.headers()['set-cookie'],
  })
  for (const path of new Set(pages)) {
    // The board changes meanwhile (a like is ranked, a score decays); then all four requests are
    // repeated.
    await expect(async () => {
      const first = await told(await stranger.get(path))
      expect([path, first.cookie]).toEqual([path, undefined])
      for (const one of [kaede, tsubaki, visitor]) {
        const { status, body, etag, cookie } = await told(await one.get(path))
        expect([path, status, body === first.body, etag, cookie]).toEqual([
          path,
          first.status,
          true,
          first.etag,
          undefined,
        ])
      }
    }).toPass()
  }
  // Pages that depend on the session must not be cached.
  for (const path of ['/login', '/register', '/profile']) {
    for (const one of [kaede, stranger]) {
      const answer = await one.get(path, { maxRedirects: 0 })
      expect([path, answer.headers()['cache-control']]).toEqual([path, 'no-store'])
    }
  }
  await Promise.all(visitors.map((one) => one.dispose()))
})

test('everything a browser loads for a page is compressed', async ({ board, page }) => {
  const plain: string[] = []
  let compressed = 0
  page.on('response', (response) => {
    const headers = response.headers()
    if (!/javascript|css|html/.test(headers['content-type'] ?? '')) return
    if (headers['content-encoding'] !== undefined) compressed += 1
    else if (Number(headers['content-length']) > 1_024) plain.push(response.url())
  })
  await page.goto(board.url)
  await page.waitForLoadState('networkidle')
  expect(plain).toEqual([])
  expect(compressed).toBeGreaterThan(3)
})

/** What pages write to the console, and what they fail to load. */
function listen(page: Page): string[] {
  const said: string[] = []
  page.on('console', (message) => said.push(`${page.url()}: ${message.type()} ${message.text()}`))
  // What a page still asks for when it is left is cancelled.
  page.on('requestfailed', (request) => {
    const { errorText } = request.failure()!
    if (errorText !== 'net::ERR_ABORTED') said.push(`${page.url()}: ${request.url()} failed: ${errorText}`)
  })
  return said
}

const SCREENS = {
  'that list threads': ['/', '/ranking', '/?search=月', '/categories', '/categories/general'],
  'about the board': ['/about', '/terms', '/moderation-log'],
  'with forms': ['/create', '/login', '/register', '/forgot-password'],
} as const

for (const [which, paths] of Object.entries(SCREENS)) {
  test(`public screens ${which} log nothing on the console`, async ({ page, board }) => {
    const thread = await startThread(board)
    const said = listen(page)
    for (const path of [...paths, `/thread/${thread._id}`]) {
      await page.goto(board.url + path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
    }
    expect(said).toEqual([])
  })
}

test('decorative motion that was switched off is off before any script loads', async ({ page, board }) => {
  await page.goto(board.url)
  const motion = page.getByRole('switch', { name: '演出を止める' })
  await motion.click()
  // A press before hydration takes effect after it.
  await expect(motion).toHaveAttribute('aria-checked', 'true')
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'off')
  await page.unroute(/\/assets\/.*\.js$/)
  await page.reload()
  await expect(motion).toHaveAttribute('aria-checked', 'true')
})

test('the description of the API logs nothing on the console', async ({ page, board }) => {
  const said = listen(page)
  for (const path of ['/docs', '/docs/']) {
    await page.goto(board.url + path)
    // Those further down are drawn when they come into view.
    await page
      .getByRole('button', { name: /^GET \/api/ })
      .first()
      .click()
    await expect(page.getByText('Responses').first()).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(said).toEqual([])
})
