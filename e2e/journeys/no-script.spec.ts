import type { Page } from '@playwright/test'
import { startThread, writePost } from '../board.ts'
import { expect, postsOf, rowOf, test, untilFound } from '../test.ts'

test.use({ javaScriptEnabled: false })

/** Follows the link to the next page; false on the last page. */
async function followNext(page: Page): Promise<boolean> {
  const next = page.locator('a[rel~=next]')
  if ((await next.count()) === 0) return false
  await page.goto(new URL((await next.first().getAttribute('href'))!, page.url()).href)
  return true
}

test('without JavaScript every page of a list is reached by links', async ({ page, board }) => {
  for (let index = 1; index <= 120; index += 1)
    await startThread(board, { title: `紙の巻物${index}`, category: 'politics' })
  await page.goto(`${board.url}/categories/politics`)
  const titles: string[] = []
  for (;;) {
    titles.push(
      ...(await page
        .getByRole('article')
        .getByRole('link', { name: /^紙の巻物\d+$/ })
        .allTextContents()),
    )
    if (!(await followNext(page))) break
  }
  expect(titles).toEqual(Array.from({ length: 120 }, (_, index) => `紙の巻物${120 - index}`))
})

test('without JavaScript every post of a thread is reached by links', async ({ page, board }) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 120; index += 1) await writePost(board, thread._id, `紙の段${index}`)
  await page.goto(`${board.url}/thread/${thread._id}`)
  const numbers: number[] = []
  for (;;) {
    numbers.push(...(await postsOf(page).evaluateAll((posts) => posts.map((post) => Number(post.id)))))
    if (!(await followNext(page))) break
  }
  expect(numbers).toEqual(Array.from({ length: 120 }, (_, index) => index + 1))
})

test('without JavaScript search and order work as a form', async ({ page, board }) => {
  await startThread(board, { title: '灯籠流しの夜', category: 'world' })
  await startThread(board, { title: '提灯の作り方', category: 'world' })
  await untilFound(board, `/api/threads?search=${encodeURIComponent('灯籠')}`)
  await page.goto(`${board.url}/categories/world`)
  // Which posts were read is known to scripts only.
  await expect(page.getByLabel('並び順').getByRole('option')).toHaveCount(6)
  await page.getByLabel('スレッドを検索').fill('灯籠')
  await page.getByRole('button', { name: '検索' }).click()
  await expect(rowOf(page, '灯籠流しの夜')).toBeVisible()
  await expect(rowOf(page, '提灯の作り方')).toBeHidden()
})

test('without JavaScript a page has its style sheets, and requests them first', async ({ page, board, browser }) => {
  const thread = await startThread(board)
  const looksOf = (where: Page) =>
    postsOf(where)
      .first()
      .evaluate((post) => {
        const style = getComputedStyle(post)
        const names = ['display', 'padding', 'color', 'background-color', 'border-top-width']
        return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name)]))
      })
  const styled = async (): Promise<{ rules: number; names: string[] }> =>
    page.evaluate(() => {
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
      const late = links.filter(
        (link) => link.compareDocumentPosition(document.scripts[0]!) !== Node.DOCUMENT_POSITION_FOLLOWING,
      )
      if (late.length > 0) throw new Error(`behind a script: ${late.map((link) => link.href).join(' ')}`)
      return {
        rules: links.reduce((sum, link) => sum + link.sheet!.cssRules.length, 0),
        names: links.map((link) => new URL(link.href).pathname),
      }
    })
  await page.goto(board.url)
  const home = await styled()
  await page.goto(`${board.url}/thread/${thread._id}`)
  const here = await styled()
  expect(here.names).toEqual([...new Set(here.names)])
  expect(here.names[0]).toBe(home.names[0])
  expect(here.rules).toBeGreaterThan(home.rules)
  const bare = await looksOf(page)

  const scripted = await browser.newPage({ javaScriptEnabled: true, viewport: page.viewportSize() })
  await scripted.goto(`${board.url}/thread/${thread._id}`)
  const full = await looksOf(scripted)
  await scripted.close()
  expect(bare).toEqual(full)
  expect(bare['padding']).not.toBe('0px')

  // Rarely seen screens have their style sheets as well.
  await page.goto(`${board.url}/nowhere`)
  expect((await styled()).names.join(' ')).toContain('not-found')
  await page.goto(`${board.url}/?search=${encodeURIComponent('どこにも無い言葉')}`)
  expect((await styled()).names.join(' ')).toContain('empty')
})
