import { messages } from '@shinobi/contract/messages'
import { giveLevel, signUp, startThread } from '../board.ts'
import { enterThread, expect, logIn, test } from '../test.ts'

const levelOf = (number: number) => `このブラウザのレベル${number}最高 20`

test('a level moves to another browser by a phrase, once, and the first browser begins anew', async ({
  page,
  context,
  browser,
  board,
}) => {
  const thread = await startThread(board, { title: '引っ越しの部屋' })
  await enterThread(page, board, thread._id)
  await giveLevel(board, context, 4)
  await page.goto(`${board.url}/scroll`)
  const main = page.getByRole('main')
  await expect(main).toContainText(levelOf(4))
  await expect(main).toContainText('次の印はレベル5です。')
  await page.getByRole('button', { name: '合言葉を作る' }).click()
  const phrase = (await main.getByText(/^[ぁ-ゖー]+( [ぁ-ゖー]+){5}$/).textContent())!
  // It is shown once.
  await page.reload()
  await expect(page.getByRole('button', { name: '合言葉を作り直す' })).toBeVisible()
  await expect(main).not.toContainText(phrase)

  const other = await browser.newContext()
  const next = await other.newPage()
  await next.goto(`${board.url}/scroll`)
  await expect(next.getByRole('main')).toContainText(levelOf(0))
  expect(await other.cookies()).toEqual([])
  const field = next.getByLabel('合言葉', { exact: true })
  const move = next.getByRole('button', { name: 'ここへ移す' })
  await field.fill('あさがお いるか うさぎ')
  await move.click()
  await expect(next.getByText(messages.phrase_unknown)).toBeVisible()
  await field.fill(phrase.replaceAll(' ', '　'))
  await move.click()
  await expect(next.getByRole('main')).toContainText(levelOf(4))
  await expect(next.getByText('レベルを移しました。いまのレベルは4です。')).toBeVisible()
  await page.reload()
  await expect(main).toContainText(levelOf(0))
  await expect(page.getByRole('button', { name: /合言葉を作/ })).toBeHidden()
  await other.close()
})

test('a member takes over the level of the browser by a press', async ({ page, context, board }) => {
  const thread = await startThread(board, { title: '名乗りの部屋' })
  await enterThread(page, board, thread._id)
  await giveLevel(board, context, 6)
  await logIn(context, board, await signUp(board))
  await page.goto(`${board.url}/scroll`)
  await expect(page.getByRole('main')).toContainText('アカウントのレベル0')
  await page.getByRole('button', { name: 'アカウントへ移す' }).click()
  await expect(page.getByRole('main')).toContainText('アカウントのレベル6')
  await expect(page.getByRole('button', { name: 'アカウントへ移す' })).toBeHidden()
})
