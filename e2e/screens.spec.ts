/** Every screen in its states: no serious axe finding, nothing wider than the window, and a picture to look at in e2e/.output/screens. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { openBoard, startThread, writePost } from './board.ts'
import { enterThread, expect, test } from './test.ts'

async function look(page: Page, name: string): Promise<void> {
  const { project } = test.info()
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `e2e/.output/screens/${project.name}/${name}.png`, animations: 'disabled' })
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, `${name} is wider than the window`).toBeLessThanOrEqual(0)
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze()
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`),
    name,
  ).toEqual([])
}

const LONG =
  '【長文注意】この題名はとても長く、二行を超えて三行目に届くかもしれないが、それでも一覧の形を崩さず、読む人の目を疲れさせないかどうかを確かめるためのものである。忍者と月と巻物の話を百字いっぱいまで'

test('the screens without data', async ({ page }) => {
  const board = await openBoard()
  for (const [name, path] of [
    ['home-empty', '/'],
    ['category-empty', '/categories/politics'],
    ['categories', '/categories'],
    ['create', '/create'],
    ['about', '/about'],
    ['terms', '/terms'],
    ['not-found', '/nowhere/at/all'],
  ] as const) {
    await page.goto(board.url + path)
    await look(page, name)
  }
  await board.close()
})

test('the screens with data', async ({ page, board, isMobile }) => {
  const category = 'immigration'
  await startThread(board, { title: LONG, content: '長い題名の本文', category })
  const thread = await startThread(board, {
    title: '月夜の巻物について語る',
    content: 'はじまりの一文です。\n月が綺麗ですね。',
    category,
    nickname: '静かな忍者',
  })
  await startThread(board, { title: 'w'.repeat(100), content: '切れ目のない題名', category })
  for (const text of [
    '>>1 よい夜ですね',
    '草',
    '>>2 >>1-3 https://example.jp/とても長い/住所/'.padEnd(180, 'あ'),
    '　 ∧＿∧\n　（　´∀｀）＜ オマエモナー\n　（　　　　）\n　｜ ｜　|\n　（_＿）＿）',
    '草'.repeat(600),
    Array.from({ length: 45 }, (_, index) => `${index + 1}行目`).join('\n'),
  ]) {
    await writePost(board, thread._id, text)
  }
  await page.goto(`${board.url}/`)
  await look(page, 'home')
  await page.goto(`${board.url}/categories/${category}`)
  await look(page, 'category')
  await page.goto(`${board.url}/categories/${category}?search=${encodeURIComponent('見つからない')}`)
  await look(page, 'search-empty')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByRole('dialog', { name: 'ニックネームを決める' })).toBeVisible()
  await look(page, 'thread-nickname')
  await enterThread(page, board, thread._id)
  await look(page, 'thread')
  await page
    .getByRole('textbox', { name: '書き込みの内容' })
    .fill('書いている途中です。\n二行目\n三行目\n四行目\n五行目')
  await look(page, 'thread-writing')
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  await look(page, 'thread-end')
  if (isMobile) {
    await page.goto(`${board.url}/`)
    await page
      .getByRole('link', { name: 'メニュー' })
      .or(page.getByRole('button', { name: 'メニュー' }))
      .tap()
    await expect(page.getByRole('dialog')).toBeVisible()
    await look(page, 'drawer')
  }
  await page.goto(`${board.url}/create`)
  await page.getByRole('button', { name: /作成|立てる/ }).click()
  await look(page, 'create-error')
})
