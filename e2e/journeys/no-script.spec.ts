import type { Page } from '@playwright/test'
import { startThread, writePost } from '../board.ts'
import { expect, postsOf, rowOf, test } from '../test.ts'

test.use({ javaScriptEnabled: false })

/** Goes where the link to the next page leads; false on the last page. */
async function followNext(page: Page): Promise<boolean> {
  const next = page.locator('a[rel~=next]')
  if ((await next.count()) === 0) return false
  await page.goto(new URL((await next.first().getAttribute('href'))!, page.url()).href)
  return true
}

test('without JavaScript every page of a list is read by links', async ({ page, board }) => {
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

test('without JavaScript every post of a thread is read by links', async ({ page, board }) => {
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
  await expect(async () => {
    await page.goto(`${board.url}/categories/world`)
    await page.getByLabel('スレッドを検索').fill('灯籠')
    await page.getByRole('button', { name: '検索' }).click()
    await expect(rowOf(page, '灯籠流しの夜')).toBeVisible({ timeout: 1_000 })
  }).toPass()
  await expect(rowOf(page, '提灯の作り方')).toBeHidden()
})
