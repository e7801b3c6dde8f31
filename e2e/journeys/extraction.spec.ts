import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { findingsOf } from '../axe.ts'
import { giveLevel, signUp, startThread, writePost, type Board } from '../board.ts'
import { enterThread, expect, logIn, openMenu, postOf, say, test } from '../test.ts'

const toolsOf = (page: Page) => page.getByRole('dialog', { name: 'このスレッド' })
const resultsOf = (page: Page) => toolsOf(page).getByRole('list', { name: '抽出した書き込み' }).getByRole('article')

async function openTools(page: Page): Promise<void> {
  await page.getByRole('button', { name: '抽出・移動' }).click()
  await expect(toolsOf(page)).toBeVisible()
}

async function postPicture(board: Board, threadId: string, background: string): Promise<void> {
  const image = await sharp({ create: { width: 64, height: 48, channels: 3, background } })
    .png()
    .toBuffer()
  const form = new FormData()
  form.set('content', `絵は${background}`)
  form.set('name', `絵師${background.slice(1)}`)
  form.set('image', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'a.png')
  const answer = await fetch(`${board.url}/api/threads/${threadId}/posts`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

test('posts are picked from the whole thread, and a press on one leads to it @both', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board, { content: '問いを立てる' })
  for (let index = 2; index <= 110; index += 1) await writePost(board, thread._id, `話の続き${index}`)
  for (const text of ['>>105 一', '>>105 二']) await writePost(board, thread._id, text)
  // The addresses of newcomers are no links.
  await enterThread(page, board, thread._id)
  await giveLevel(board, context, 2)
  await say(page, '>>105 三 https://example.jp/')
  await expect(postOf(page, 113)).toContainText('三')
  await expect(page.getByText('自動更新中')).toBeVisible()
  await openTools(page)
  await toolsOf(page).getByRole('button', { name: '人気レス' }).click()
  await expect(resultsOf(page)).toHaveCount(1)
  await expect(toolsOf(page).getByRole('status')).toHaveText('1件')
  await expect(resultsOf(page)).toContainText('話の続き105')

  // Answers open over the dialog, and Escape closes one thing at a time.
  await resultsOf(page)
    .getByRole('button', { name: /^返信 3/ })
    .click()
  const slip = page.getByRole('dialog', { name: '105への返信' })
  await expect(slip).toContainText('>>105 二')
  await page.keyboard.press('Escape')
  await expect(slip).toBeHidden()
  await expect(toolsOf(page)).toBeVisible()

  await toolsOf(page).getByRole('button', { name: 'リンクあり' }).click()
  await expect(resultsOf(page)).toHaveCount(1)
  await toolsOf(page).getByRole('button', { name: 'いいね' }).click()
  await expect(toolsOf(page).getByRole('status')).toHaveText('いいねのある書き込みはありません。')
  await toolsOf(page).getByRole('button', { name: '人気レス' }).click()
  expect(await findingsOf(page, { within: 'dialog[open]' })).toEqual([])
  // Anywhere on it.
  const { height } = (await resultsOf(page).boundingBox())!
  await resultsOf(page).click({ position: { x: 200, y: height - 12 } })
  await expect(toolsOf(page)).toBeHidden()
  await expect(postOf(page, 105)).toBeInViewport()
})

test('the posts of one writer are picked from the menu of one of them', async ({ page, board }) => {
  const thread = await startThread(board, { content: '始まり', nickname: '静かな忍者' })
  await writePost(board, thread._id, 'ほかの人の話')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await (await openMenu(page, 1)).getByRole('button', { name: /この人を抽出/ }).click()
  await expect(toolsOf(page).getByRole('button', { name: '静かな忍者の書き込み' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await expect(resultsOf(page)).toHaveCount(1)
  await expect(resultsOf(page)).toContainText('始まり')
})

test('own posts are picked with the answers to them', async ({ page, context, board }) => {
  const thread = await startThread(board, { content: '始まり' })
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/posts`, { content: '会員の問い' })
  await writePost(board, thread._id, '>>2 その答え')
  await writePost(board, thread._id, 'ほかの話')
  await logIn(context, board, member)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await openTools(page)
  const fetched: string[] = []
  page.on('request', (request) => {
    if (/\/posts(\?|$)/.test(request.url())) fetched.push(request.url())
  })
  await toolsOf(page).getByRole('button', { name: '自分と返信' }).click()
  await expect(resultsOf(page)).toContainText(['会員の問い', 'その答え'])
  // All posts are on the page already.
  expect(fetched).toEqual([])
})

test('the images of a thread are a grid, which opens the viewer and leads to the posts @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await postPicture(board, thread._id, '#336655')
  await writePost(board, thread._id, '絵のない話')
  await postPicture(board, thread._id, '#553366')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await openTools(page)
  await toolsOf(page).getByRole('button', { name: '画像一覧' }).click()
  const pictures = toolsOf(page).getByRole('button', { name: /の画像を開く$/ })
  await expect(pictures).toHaveCount(2)
  await pictures.nth(1).click()
  const viewer = page.getByRole('dialog', { name: '画像' })
  await expect(viewer).toContainText('4 絵師553366')
  await page.keyboard.press('Escape')
  await expect(viewer).toBeHidden()
  await expect(toolsOf(page)).toBeVisible()
  await toolsOf(page).getByRole('link', { name: '4へ移動' }).click()
  await expect(postOf(page, 4)).toBeInViewport()
})

test('a number leads to its post, and one that does not exist says what would @both', async ({ page, board }) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 60; index += 1) await writePost(board, thread._id, `話の続き${index}`)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await openTools(page)
  const field = toolsOf(page).getByLabel('番号')
  await field.fill('61')
  await field.press('Enter')
  await expect(toolsOf(page)).toContainText('1から60までの番号を入れてください。')
  await field.fill('５８')
  await toolsOf(page).getByRole('button', { name: '移動', exact: true }).click()
  await expect(toolsOf(page)).toBeHidden()
  await expect(postOf(page, 58)).toBeInViewport()
})

test('an Enter that ends the conversion of a number leads nowhere, also as Safari sends it', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await writePost(board, thread._id, '二つ目')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await openTools(page)
  const field = toolsOf(page).getByLabel('番号')
  await field.focus()
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: '２', selectionStart: 1, selectionEnd: 1 })
  await session.send('Input.insertText', { text: '２' })
  // After the end of the conversion: only its code tells it from another Enter.
  const enter = { type: 'keyDown', key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 229, text: '\r' } as const
  await session.send('Input.dispatchKeyEvent', enter)
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await expect(field).toHaveValue('２')
  expect(new URL(page.url()).hash).toBe('')
  await field.press('Enter')
  await expect(page).toHaveURL(/#2$/)
})

test('a thread is saved as a file under its title @both', async ({ page, board }) => {
  const thread = await startThread(board, { title: '持ち帰るスレッド', content: '一行目' })
  await writePost(board, thread._id, '二つ目')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await openTools(page)
  const saving = page.waitForEvent('download')
  await toolsOf(page).getByRole('link', { name: 'テキスト' }).click()
  const file = await saving
  expect(file.suggestedFilename()).toBe('持ち帰るスレッド.txt')
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^持ち帰るスレッド\n[^]*　一行目[^]*　二つ目/)
  await expect(toolsOf(page)).toBeVisible()
})
