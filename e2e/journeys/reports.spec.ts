import { messages } from '@shinobi/contract/messages'
import type { Page } from '@playwright/test'
import { findingsOf } from '../axe.ts'
import { signUp, startThread, writePost, type Board } from '../board.ts'
import { composerOf, expect, logIn, openMenu, saidOnPage, test } from '../test.ts'

const REPORT = /\/report$/
const TEXT = '宣伝です。https://example.com/ へ今すぐ\n二行目'

async function openThread(page: Page, board: Board): Promise<void> {
  const thread = await startThread(board)
  await writePost(board, thread._id, TEXT)
  await writePost(board, thread._id, 'ほかの書き込み')
  await page.goto(`${board.url}/thread/${thread._id}`)
}

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'この書き込みを通報' })
const reasonOf = (page: Page) => dialogOf(page).getByLabel(/通報の理由/)
const submitOf = (page: Page) => dialogOf(page).getByRole('button', { name: '通報する' })

async function openDialog(page: Page, number = 2): Promise<void> {
  await (await openMenu(page, number)).getByRole('button', { name: /通報/ }).click()
  await expect(dialogOf(page)).toBeVisible()
}

test('a visitor reports a post with a reason of at least three characters, and sees the confirmation @both', async ({
  page,
  board,
}) => {
  await openThread(page, board)
  await openDialog(page)
  await expect(dialogOf(page)).toContainText('宣伝です。')
  await expect(submitOf(page)).toBeDisabled()
  for (const [reason, counted] of [
    ['宣伝', 2],
    [' 宣 　\n', 1],
    ['👨‍👩‍👧👨‍👩‍👧', 2],
  ] as const) {
    await reasonOf(page).fill(reason)
    await expect(dialogOf(page)).toContainText(`文字数 ${counted} `)
    await expect(submitOf(page)).toBeDisabled()
  }
  await reasonOf(page).fill('  宣伝だ\n')
  await expect(submitOf(page)).toBeEnabled()

  const sent = page.waitForRequest(REPORT)
  const thanked = saidOnPage(page, messages.report_received)
  await submitOf(page).click()
  expect((await sent).postDataJSON()).toEqual({ reason: '宣伝だ', content: TEXT })
  await expect(dialogOf(page)).toBeHidden()
  await thanked
  await expect(page.getByRole('status').filter({ hasText: messages.report_received })).toBeHidden()
  await openDialog(page)
  await expect(reasonOf(page)).toHaveValue('')
})

test('a reason is typed with an input method, and sent by keyboard after the conversion @both', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(isMobile, 'a touch keyboard has no Ctrl+Enter')
  await openThread(page, board)
  await openDialog(page)
  await reasonOf(page).focus()
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'こじんじょうほう', selectionStart: 8, selectionEnd: 8 })
  const enter = { type: 'rawKeyDown', key: 'Process', windowsVirtualKeyCode: 229, code: 'Enter', modifiers: 2 } as const
  await session.send('Input.dispatchKeyEvent', enter)
  await expect(dialogOf(page)).toBeVisible()
  await session.send('Input.insertText', { text: '個人情報' })
  await expect(reasonOf(page)).toHaveValue('個人情報')
  // A person presses the next key tasks later; the driver may press it in the task that ends the
  // conversion.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await reasonOf(page).press('Enter')
  await expect(reasonOf(page)).toHaveValue('個人情報\n')

  await reasonOf(page).fill('短')
  await reasonOf(page).press('Control+Enter')
  await expect(dialogOf(page)).toContainText(messages.report_reason_short)
  await reasonOf(page).fill('個人情報')
  const thanked = saidOnPage(page, messages.report_received)
  await reasonOf(page).press('Control+Enter')
  await expect(dialogOf(page)).toBeHidden()
  await thanked
})

test('a reason is chosen with one press, changed, extended, or typed freely @both', async ({
  page,
  board,
  isMobile,
}) => {
  await openThread(page, board)
  await openDialog(page)
  const choice = (name: string) => dialogOf(page).getByRole('radio', { name })
  await expect(dialogOf(page).getByRole('radio', { checked: true })).toHaveCount(0)
  const words = dialogOf(page).getByText('わいせつ', { exact: true })
  await (isMobile ? words.tap() : words.click())
  await expect(choice('わいせつ')).toBeChecked()
  await expect(reasonOf(page)).toHaveValue('わいせつ')
  await expect(submitOf(page)).toBeEnabled()
  await reasonOf(page).press('End')
  await reasonOf(page).pressSequentially('な宣伝')
  await choice('宣伝・スパム').check()
  await expect(reasonOf(page)).toHaveValue('宣伝・スパムな宣伝')
  await choice('その他').check()
  await expect(reasonOf(page)).toHaveValue('な宣伝')
  await expect(choice('その他')).toBeChecked()
  await reasonOf(page).fill('')
  await expect(submitOf(page)).toBeDisabled()

  // One group for the keyboard: arrow keys choose.
  await choice('その他').focus()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(choice('暴力・差別')).toBeChecked()
  const sent = page.waitForRequest(REPORT)
  const thanked = saidOnPage(page, messages.report_received)
  await submitOf(page).click()
  expect((await sent).postDataJSON()).toEqual({ reason: '暴力・差別', content: TEXT })
  await thanked
})

test('the choices are large enough for a thumb, and nothing is cut at twice the text size @both', async ({
  page,
  board,
}) => {
  await openThread(page, board)
  await openDialog(page)
  const options = dialogOf(page)
    .locator('label')
    .filter({ has: page.getByRole('radio') })
  for (const option of await options.all()) expect((await option.boundingBox())!.height).toBeGreaterThanOrEqual(44)
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '32px'))
  for (const option of await options.all()) {
    const cut = await option.evaluate((label) => label.scrollWidth > label.clientWidth + 1)
    expect(cut).toBe(false)
  }
  await submitOf(page).scrollIntoViewIfNeeded()
  await expect(submitOf(page)).toBeInViewport()
})

test('a failed report shows a notice for a moment, with the server’s message or a fixed one, and keeps what was typed', async ({
  page,
  board,
}) => {
  await openThread(page, board)
  await openDialog(page)
  await reasonOf(page).fill('荒らしの書き込みです')
  const alert = dialogOf(page).getByRole('alert')

  await page.route(REPORT, (route) =>
    route.fulfill({ status: 429, json: { message: messages.reports_limited, code: 'too_many_requests' } }),
  )
  const refused = saidOnPage(page, messages.report_failed(messages.reports_limited))
  await submitOf(page).click()
  await refused
  await expect(alert).toBeHidden()
  await expect(reasonOf(page)).toHaveValue('荒らしの書き込みです')

  await page.unroute(REPORT)
  await page.route(REPORT, (route) => route.abort())
  const failed = saidOnPage(page, messages.report_exception)
  await submitOf(page).click()
  await failed
  await expect(reasonOf(page)).toHaveValue('荒らしの書き込みです')

  await page.unroute(REPORT)
  const thanked = saidOnPage(page, messages.report_received)
  await submitOf(page).click()
  await expect(dialogOf(page)).toBeHidden()
  await thanked
})

test('a dialog closed by accident keeps its text, per post', async ({ page, board }) => {
  await openThread(page, board)
  await openDialog(page)
  await reasonOf(page).fill('書きかけの理由')
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
  await openDialog(page, 3)
  await expect(dialogOf(page)).toContainText('ほかの書き込み')
  await expect(reasonOf(page)).toHaveValue('')
  await dialogOf(page).getByRole('button', { name: 'キャンセル' }).click()
  await expect(dialogOf(page)).toBeHidden()
  await openDialog(page)
  await expect(reasonOf(page)).toHaveValue('書きかけの理由')
})

test('a double click reports once, and a dialog whose code fails to load shows an error', async ({ page, board }) => {
  await page.route(/report-dialog/, (route) => route.abort())
  await openThread(page, board)
  const failed = saidOnPage(page, messages.report_exception)
  await (await openMenu(page, 2)).getByRole('button', { name: /通報/ }).click()
  await failed
  // Some browsers request a module that failed only on a new page.
  const offer = page.getByRole('button', { name: '読み込み直す' })
  await expect(offer).toBeVisible()
  await page.unroute(/report-dialog/)
  await offer.click()
  await openDialog(page)
  await reasonOf(page).fill('荒らしの書き込みです')
  const sent: string[] = []
  page.on('request', (request) => {
    if (REPORT.test(request.url())) sent.push(request.url())
  })
  await submitOf(page).dblclick()
  await expect(dialogOf(page)).toBeHidden()
  expect(sent).toHaveLength(1)
})

test('a member reports as well, and the dialog is accessible @both', async ({ page, context, board }) => {
  await logIn(context, board, await signUp(board))
  await openThread(page, board)
  await expect(composerOf(page)).toBeVisible()
  await openDialog(page)
  expect(await findingsOf(page)).toEqual([])
  await reasonOf(page).fill('荒らしの書き込みです')
  const thanked = saidOnPage(page, messages.report_received)
  await submitOf(page).click()
  await thanked
})
