/**
 * The Google sign-in: Google's script is a stub, the tokens come from a real provider of our own.
 */
import type { Page } from '@playwright/test'
import { openProvider, type OpenIdProvider } from '../../apps/server/src/testing/outside/openid-provider.ts'
import { messages } from '@shinobi/contract/messages'
import type { AdminUser } from '@shinobi/contract/admin'
import { Secret, TOTP } from 'otpauth'
import { enterAsAdmin, openAdminBoard } from '../admin-board.ts'
import type { Board } from '../board.ts'
import { expect, saidOnPage, test } from '../test.ts'

const CLIENT_ID = 'shinobi-test.apps.googleusercontent.com'

let provider: OpenIdProvider
let board: Board

test.beforeAll(async () => {
  provider = await openProvider()
  board = await openAdminBoard({ GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_JWKS_URL: provider.jwksUrl })
})
test.afterAll(async () => {
  await board.close()
  await provider.close()
})

/**
 * A minimal version of Google's script: a button that delivers the token of the signed-in Google
 * account.
 */
const SCRIPT = `
  let options
  window.google = { accounts: { id: {
    initialize(given) {
      if (options?.nonce === given.nonce) console.error('initialized twice')
      options = given
    },
    renderButton(parent, look) {
      const button = document.createElement('button')
      button.textContent = look.text + ' ' + look.locale + ' ' + options.client_id
      button.onclick = async () => options.callback({ credential: await window.signInAtGoogle(options.nonce) })
      parent.append(button)
    },
  } } }
`

interface Person {
  readonly subject: string
  readonly email: string
  readonly name: string
  readonly verified?: boolean
}

/** Claims of the token for a person who signed in to our client. */
function claimsOf({ subject, email, name, verified = true }: Person) {
  const iat = Math.floor(Date.now() / 1_000)
  const about = { sub: subject, email, name, email_verified: verified }
  return { ...about, iss: 'https://accounts.google.com', aud: CLIENT_ID, iat, exp: iat + 3_600 }
}

async function beAtGoogle(page: Page, person: Person): Promise<void> {
  await page.route('https://accounts.google.com/gsi/client', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: SCRIPT }),
  )
  await page.exposeFunction('signInAtGoogle', (nonce: string) => provider.sign({ ...claimsOf(person), nonce }))
}

let people = 0
const somebody = (fields: Partial<Person> = {}) => {
  people += 1
  const id = `${Date.now()}${people}`
  return { subject: id, email: `g${id}@example.jp`, name: `客人${people}号`, ...fields }
}

test('a visitor registers with Google, is welcomed, and finds Google on the profile', async ({ page }) => {
  await beAtGoogle(page, somebody())
  await page.goto(`${board.url}/login`)
  // Google's script is only initialised once, also when the visitor switches between the two
  // screens.
  await page
    .getByRole('link', { name: '登録', exact: true })
    .or(page.getByRole('link', { name: /登録へ/ }))
    .last()
    .click()
  const welcomed = saidOnPage(page, messages.google_register_succeeded)
  await page.getByRole('button', { name: `signup_with ja ${CLIENT_ID}` }).click()
  await welcomed
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByText('連携しています')).toBeVisible()
  await expect(page.getByText('確認済')).toBeVisible()
  await expect(page.getByRole('button', { name: 'パスワードを設定する' })).toBeVisible()
})

test('a member logs in with Google, and returns to the page they came from', async ({ page }) => {
  const person = somebody()
  await beAtGoogle(page, person)
  await page.goto(`${board.url}/register`)
  await page.getByRole('button', { name: /^signup_with/ }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('button', { name: 'ログアウト' }).click()
  await expect(page).not.toHaveURL(/\/profile/)
  await page.goto(`${board.url}/login?next=/categories`)
  await page.getByRole('button', { name: /^signin_with/ }).click()
  await expect(page).toHaveURL(/\/categories$/)
})

test('an expired sign-in fails once, and the next press works', async ({ page, context }) => {
  await beAtGoogle(page, somebody())
  await page.goto(`${board.url}/login`)
  const button = page.getByRole('button', { name: /^signin_with/ })
  await expect(button).toBeVisible()
  // Removes the cookie of the sign-in that was begun, as its expiry would.
  await context.clearCookies({ name: 'google' })
  await button.evaluate((first) => (first.dataset['first'] = ''))
  await button.click()
  await expect(page.getByRole('alert')).toContainText(messages.google_login_failed)
  // Another button comes with the next nonce.
  await expect(button).not.toHaveAttribute('data-first')
  await button.click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('a moderator enters the code of the second factor under the button', async ({ page }) => {
  const person = somebody()
  await beAtGoogle(page, person)
  await page.goto(`${board.url}/register`)
  await page.getByRole('button', { name: /^signup_with/ }).click()
  await expect(page).toHaveURL(/\/profile$/)
  const admin = await enterAsAdmin(board)
  const { users } = await admin.send<{ users: AdminUser[] }>('GET', '/api/admin/users')
  const { _id } = users.find(({ email }) => email === person.email)!
  await admin.send('PUT', `/api/admin/users/${_id}/role`, { role: 'moderator' })
  await page.reload()
  await page.getByRole('button', { name: '設定する', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '二段階認証の設定' })
  await dialog.getByRole('button', { name: '次へ' }).click()
  const totp = new TOTP({ secret: Secret.fromBase32((await dialog.locator('code').innerText()).replaceAll(' ', '')) })
  await dialog.getByLabel('認証コード').fill(totp.generate())
  await dialog.getByRole('button', { name: '有効にする' }).click()
  await dialog.getByRole('button', { name: '控えました' }).click()
  await page.getByRole('main').getByRole('button', { name: 'ログアウト' }).click()

  await page.getByRole('button', { name: /^signin_with/ }).click()
  await expect(page.getByText(messages.code_required).last()).toBeVisible()
  await page.getByLabel('認証コード').fill('000000')
  await page.getByRole('button', { name: '続ける' }).click()
  await expect(page.getByRole('alert')).toContainText(messages.code_wrong)
  await page.getByLabel('認証コード').fill(totp.generate({ timestamp: Date.now() + 30_000 }))
  await page.getByRole('button', { name: '続ける' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('a refusal by Google or the board is shown under the button', async ({ page }) => {
  await beAtGoogle(page, somebody({ verified: false }))
  await page.goto(`${board.url}/login`)
  await page.getByRole('button', { name: /^signin_with/ }).click()
  await expect(page.getByRole('alert')).toContainText(messages.google_login_failed)
  await page.goto(`${board.url}/register`)
  await page.getByRole('button', { name: /^signup_with/ }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.google_email_unverified)
  await expect(page).toHaveURL(/\/register$/)
})

test('a script that fails to load does not affect the rest of the screen', async ({ page, complaints }) => {
  await page.route('https://accounts.google.com/gsi/client', (route) => route.abort())
  await page.goto(`${board.url}/login`)
  await expect(page.getByText('Googleのボタンを読み込めませんでした。')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Googleでログイン' })).toBeDisabled()
  await expect(page.getByLabel('会員名')).toBeEditable()
  // Errors of the widget go to the console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining(messages.google_login_failed)])
})

test('a board without Google shows so, and requests nothing from Google', async ({ page, board: without }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  for (const [path, label] of [
    ['/login', 'Googleでログイン'],
    ['/register', 'Googleで登録'],
  ] as const) {
    await page.goto(without.url + path)
    await expect(page.getByRole('button', { name: label })).toBeDisabled()
    await expect(page.getByText(messages.google_unavailable)).toBeVisible()
  }
  expect(new Set(asked).size).toBe(1)
})
