/** Mails: resetting a forgotten password, and confirming an address. */
import { openMailServer, type MailServer } from '../../apps/server/src/testing/outside/mail-server.ts'
import { messages } from '@shinobi/contract/messages'
import { openBoard, signUp, type Board } from '../board.ts'
import { expect, fillLogin, holdScripts, logIn, test } from '../test.ts'

let mailBox: MailServer
let board: Board

test.beforeAll(async () => {
  mailBox = await openMailServer()
  board = await openBoard({ SMTP_URL: mailBox.url })
})
test.afterAll(async () => {
  await board.close()
  await mailBox.close()
})

/** The link to `page` in the last mail to an address. */
async function linkFor(email: string, page: string): Promise<string> {
  const find = () =>
    mailBox.mails
      .filter(({ to }) => to.includes(email))
      .map(({ text }) => text.match(new RegExp(`/${page}#\\S+`))?.[0])
      .findLast((link) => link !== undefined)
  await expect.poll(find).toBeDefined()
  return board.url + find()!
}

test('a member resets a forgotten password by a mailed link, which works once', async ({ page }) => {
  const { user } = await signUp(board)
  await page.goto(await linkFor(user.email!, 'verify-email'))
  await page.getByRole('button', { name: 'このアドレスを確認する' }).click()
  await expect(page.getByText(messages.email_verified)).toBeVisible()
  await page.goto(`${board.url}/login`)
  await page.getByRole('link', { name: 'パスワードを忘れた' }).click()
  await page.getByRole('button', { name: '案内を送る' }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.email_invalid)
  await page.getByLabel('メールアドレス').fill(user.email!)
  await page.getByRole('button', { name: '案内を送る' }).click()
  await expect(page.getByText(messages.password_reset_sent)).toBeVisible()

  const link = await linkFor(user.email!, 'reset-password')
  await page.goto(link)
  await page.getByLabel('新しいパスワード', { exact: true }).fill('短い')
  await page.getByRole('button', { name: 'パスワードを設定する' }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.password_length)
  await page.getByLabel('新しいパスワード', { exact: true }).fill('今度こそ忘れない 7')
  await page.getByRole('button', { name: 'パスワードを設定する' }).click()
  await expect(page.getByText(messages.password_reset_done)).toBeVisible()
  // The token is removed from the address, so that no history keeps it.
  await expect(page).toHaveURL(`${board.url}/reset-password`)
  await page.getByRole('link', { name: 'ログインする' }).click()
  await fillLogin(page, user.email!, '今度こそ忘れない 7')
  await expect(page.getByRole('heading', { name: user.name })).toBeVisible()

  await page.goto('about:blank')
  await page.goto(link)
  await page.getByLabel('新しいパスワード', { exact: true }).fill('もう一度だけ 8')
  await page.getByRole('button', { name: 'パスワードを設定する' }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.link_invalid)
  await page.goto(`${board.url}/reset-password`)
  await expect(page.getByRole('alert')).toHaveText(messages.link_invalid)
  // The hint of the form is hidden with the form; the link to request a new mail is shown.
  await expect(page.getByText('設定すると、')).toBeHidden()
  await page.getByRole('link', { name: '案内をもう一度送る' }).click()
  await expect(page.getByRole('button', { name: '案内を送る' })).toBeVisible()
})

test('an address is confirmed by a press of a button, and the profile shows it', async ({ page, context }) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  const registered = await linkFor(member.user.email!, 'verify-email')
  await page.goto(`${board.url}/profile`)
  await expect(page.getByText('未確認')).toBeVisible()
  const count = mailBox.mails.length
  await page.getByRole('button', { name: '確認メールを送る' }).click()
  await expect(page.getByText(messages.email_verification_sent)).toBeVisible()
  await expect.poll(() => mailBox.mails.length).toBeGreaterThan(count)
  await page.goto(registered)
  // Loading the page alone does not confirm: mail scanners open links too.
  await page.getByRole('button', { name: 'このアドレスを確認する' }).click()
  await expect(page.getByText(messages.email_verified)).toBeVisible()
  await page.getByRole('link', { name: 'プロフィールへ' }).click()
  await expect(page.getByText('確認済')).toBeVisible()
  await expect(page.getByRole('button', { name: '確認メールを送る' })).toBeHidden()
})

test('a mistyped address, which gets no mail, is changed on the profile, and the new one gets the mail', async ({
  page,
  context,
}) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  await page.goto(`${board.url}/profile`)
  const ask = page.getByRole('button', { name: '確認メールを送る' })
  mailBox.answer = 'refuse'
  await ask.click()
  await expect(page.getByRole('alert')).toHaveText(messages.mail_refused)
  mailBox.answer = 'take'
  await page.getByRole('button', { name: 'アドレスを変える' }).click()
  const dialog = page.getByRole('dialog', { name: 'メールアドレスの変更' })
  const change = dialog.getByRole('button', { name: '変更する' })
  const email = `right.${member.user.email}`
  await dialog.getByLabel('メールアドレス').fill(email)
  await dialog.getByLabel('現在のパスワード').fill('違う合言葉です')
  await change.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.password_wrong)
  await dialog.getByLabel('現在のパスワード').fill(member.password)
  await change.click()
  await expect(page.getByText(messages.email_changed_unverified)).toBeVisible()
  await expect(page.getByText(messages.mail_refused)).toBeHidden()
  const link = await linkFor(email, 'verify-email')
  mailBox.answer = 'refuse'
  await ask.click()
  await expect(page.getByText(messages.mail_refused)).toBeVisible()
  await expect(page.getByText(messages.email_changed_unverified)).toBeHidden()
  mailBox.answer = 'take'
  await page.goto(link)
  await page.getByRole('button', { name: 'このアドレスを確認する' }).click()
  await page.getByRole('link', { name: 'プロフィールへ' }).click()
  await expect(page.getByText(email)).toBeVisible()
  await expect(page.getByText('確認済')).toBeVisible()
  await expect(page.getByRole('button', { name: 'アドレスを変える' })).toBeHidden()
})

test('a press of that button before the script runs confirms the address when it runs', async ({ page }) => {
  const { user } = await signUp(board)
  const link = await linkFor(user.email!, 'verify-email')
  const runScripts = await holdScripts(page)
  await page.goto(link, { waitUntil: 'commit' })
  await page.getByRole('button', { name: 'このアドレスを確認する' }).click()
  runScripts()
  await expect(page.getByText(messages.email_verified)).toBeVisible()
})

test('a guest who confirms an address is led from the profile to the log-in', async ({ page }) => {
  const { user } = await signUp(board)
  await page.goto(await linkFor(user.email!, 'verify-email'))
  await page.getByRole('button', { name: 'このアドレスを確認する' }).click()
  await page.getByRole('link', { name: 'プロフィールへ' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goto(`${board.url}/verify-email`)
  await expect(page.getByRole('alert')).toHaveText(messages.link_invalid)
})

test('a board without mail refers to the administrator', async ({ page, board: without }) => {
  await page.goto(`${without.url}/forgot-password`)
  await expect(page.getByText(messages.password_reset_unavailable)).toBeVisible()
  await expect(page.getByRole('main').getByRole('link', { name: 'shinobi@example.jp' })).toBeVisible()
})
