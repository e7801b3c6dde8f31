import type { Page } from '@playwright/test'
import { findingsOf } from '../axe.ts'
import { test } from '../admin-board.ts'
import { startThread, writePost, writePosts, type Board } from '../board.ts'
import { composerOf, enterThread, expect, postOf, say } from '../test.ts'

const toolsOf = (page: Page) => page.getByRole('dialog', { name: 'このスレッド' })
const switchOf = (page: Page) => toolsOf(page).getByRole('switch', { name: /実況/ })
const resumeOf = (page: Page) => page.getByRole('button', { name: '一時停止中 · 最新へ戻る' })

async function openTools(page: Page): Promise<void> {
  await page.getByRole('button', { name: '抽出・移動' }).click()
  await expect(toolsOf(page)).toBeVisible()
}

async function follow(page: Page): Promise<void> {
  await openTools(page)
  await switchOf(page).click()
  await expect(toolsOf(page)).toBeHidden()
  await expect(page.getByText('実況中', { exact: true })).toBeAttached()
}

async function writeLines(board: Board, threadId: string, from: number, to: number): Promise<void> {
  for (let index = from; index <= to; index += 1) await writePost(board, threadId, `実況${index}\n二行目\n三行目`)
}

/** The end of the post is right above the dock. */
async function expectAtEnd(page: Page, number: number): Promise<void> {
  await expect
    .poll(() =>
      postOf(page, number).evaluate((post) => {
        const dock = document.querySelector('[data-dock]')!.getBoundingClientRect().top
        const { top, bottom } = post.getBoundingClientRect()
        return top > 0 && bottom <= dock + 1 && dock - bottom < 200
      }),
    )
    .toBe(true)
}

test('the view follows the newest post, pauses when the reader turns away, and goes on by the control @both', async ({
  page,
  run: board,
}) => {
  const thread = await startThread(board)
  await writePosts(board, thread._id, 40)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await follow(page)
  await expectAtEnd(page, 41)
  await writeLines(board, thread._id, 42, 44)
  await expectAtEnd(page, 44)
  await expect(page.getByRole('button', { name: /新着/ })).toBeHidden()

  await page.mouse.move(100, 300)
  await page.mouse.wheel(0, -600)
  await expect(resumeOf(page)).toBeVisible()
  await expect(page.getByText('実況中', { exact: true })).toBeHidden()
  await writeLines(board, thread._id, 45, 46)
  await expect(page.getByRole('button', { name: '新着 2 件' })).toBeVisible()
  await expect(postOf(page, 46)).not.toBeInViewport()
  expect(await findingsOf(page, { within: '[data-dock]' })).toEqual([])

  await resumeOf(page).click()
  await expect(resumeOf(page)).toBeHidden()
  await expectAtEnd(page, 46)
  await expect(page.getByRole('button', { name: /新着/ })).toBeHidden()
  await writeLines(board, thread._id, 47, 47)
  await expectAtEnd(page, 47)

  // What was followed counts as read.
  await page.goto(board.url)
  await expect(page.locator(`[id="${thread._id}"] [data-unread="0"]`)).toBeAttached()
})

test('keys and touches pause it, writing does not, and it ends with the visit @both', async ({
  page,
  run: board,
  hasTouch,
}) => {
  const thread = await startThread(board)
  await writePosts(board, thread._id, 30)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await follow(page)
  await expectAtEnd(page, 31)
  await say(page, '実況しながら書く')
  await expect(postOf(page, 32)).toContainText('実況しながら書く')
  await expect(composerOf(page)).toHaveValue('')
  await expectAtEnd(page, 32)
  await expect(resumeOf(page)).toBeHidden()

  if (hasTouch) await page.touchscreen.tap(200, 300)
  else {
    await composerOf(page).blur()
    await page.keyboard.press('PageUp')
  }
  await expect(resumeOf(page)).toBeVisible()
  await page.getByRole('button', { name: '実況をやめる' }).click()
  await expect(resumeOf(page)).toBeHidden()
  await openTools(page)
  await expect(switchOf(page)).toHaveAttribute('aria-checked', 'false')
  await switchOf(page).click()
  await expect(toolsOf(page)).toBeHidden()
  await expect(page.getByText('実況中', { exact: true })).toBeAttached()

  await page.reload()
  await expect(page.getByText('自動更新中')).toBeAttached()
  await openTools(page)
  await expect(switchOf(page)).toHaveAttribute('aria-checked', 'false')
})

test('a far away newest post is followed as well', async ({ page, run: board }) => {
  const thread = await startThread(board)
  await writePosts(board, thread._id, 400)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await follow(page)
  await expectAtEnd(page, 401)
  await writeLines(board, thread._id, 402, 402)
  await expectAtEnd(page, 402)
})

test('it ends when the thread is locked, and is not offered there', async ({ page, run: board, admin }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await follow(page)
  await admin.send('PUT', `/api/admin/threads/${thread._id}`, { locked: true })
  await expect(composerOf(page)).toBeHidden()
  await expect(page.getByText('実況中', { exact: true })).toBeHidden()
  await openTools(page)
  await expect(toolsOf(page).getByRole('button', { name: '人気レス' })).toBeVisible()
  await expect(switchOf(page)).toHaveCount(0)
})
