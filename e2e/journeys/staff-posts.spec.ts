/** The seal 運営: posts written as staff have it, and no typed name can imitate it. */
import type { Post } from '@shinobi/contract/posts'
import type { Page } from '@playwright/test'
import { test } from '../admin-board.ts'
import { startThread, writePost } from '../board.ts'
import { composerOf, enterThread, expect, logIn, postOf, say } from '../test.ts'

const sealOf = (page: Page, number: number) => postOf(page, number).getByTitle('この板の運営としての書き込みです')

test('a staff post of an administrator appears live with the seal, and no other post has it', async ({
  page,
  run,
  admin,
}) => {
  const thread = await startThread(run, { nickname: '半蔵【運営の書き込み】' })
  await enterThread(page, run, thread._id)
  const write = (content: string, asStaff: boolean) =>
    admin.send<Post>('POST', `/api/threads/${thread._id}/posts`, { content, asStaff })
  await writePost(run, thread._id, '通りすがりです')
  await write('会員としての一言です', false)
  await write('今夜、短い保守をします', true)
  await expect(postOf(page, 4)).toContainText('今夜、短い保守をします')
  await expect(sealOf(page, 4)).toHaveText('運営の書き込み')
  for (const number of [1, 2, 3]) await expect(sealOf(page, number)).toHaveCount(0)
})

test('an administrator turns the seal on in the dock, and writes without it otherwise @both', async ({
  page,
  context,
  run,
  admin,
}) => {
  const thread = await startThread(run)
  await logIn(context, run, admin)
  await page.goto(`${run.url}/thread/${thread._id}`)
  await expect(page.getByText(`${admin.user.name} として書き込む`)).toBeVisible()
  await say(page, '会員としての一言です')
  await expect(postOf(page, 2)).toContainText('会員としての一言です')
  await expect(composerOf(page)).toHaveValue('')
  await expect(sealOf(page, 2)).toHaveCount(0)
  await composerOf(page).fill('今夜、短い保守をします')
  await page.getByRole('switch', { name: '運営の印' }).click()
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 3)).toContainText('今夜、短い保守をします')
  await expect(sealOf(page, 3)).toHaveText('運営の書き込み')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the rendered page has the seal as well', async ({ page, run, admin }) => {
    const thread = await startThread(run)
    await admin.send<Post>('POST', `/api/threads/${thread._id}/posts`, { content: 'お知らせです', asStaff: true })
    await page.goto(`${run.url}/thread/${thread._id}`)
    await expect(sealOf(page, 2)).toHaveText('運営の書き込み')
    await expect(sealOf(page, 1)).toHaveCount(0)
  })
})
