/** The Google sign-in: their script is a stand-in, the tokens are real ones of a provider of our own. */
import type { Page } from '@playwright/test'
import { openProvider, type OpenIdProvider } from '../../apps/server/src/testing/outside/openid-provider.ts'
import { messages } from '@shinobi/contract/messages'
import type { AdminUser } from '@shinobi/contract/admin'
import { Secret, TOTP } from 'otpauth'
import { enterAsAdmin, openAdminBoard } from '../admin-board.ts'
import type { Board } from '../board.ts'
import { expect, test } from '../test.ts'

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

/** What their script does for us, in small: a button that brings the token of whoever is signed in at Google. */
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

/** What Google says of somebody who signed in at our client. */
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

test('somebody registers with Google, is welcomed, and finds Google on the profile', async ({ page }) => {
  await beAtGoogle(page, somebody())
  await page.goto(`${board.url}/login`)
  // From one of the two screens to the other, their script is told once who we are.
  await page
    .getByRole('link', { name: '登録', exact: true })
    .or(page.getByRole('link', { name: /登録へ/ }))
    .last()
    .click()
  await page.getByRole('button', { name: `signup_with ja ${CLIENT_ID}` }).click()
  await expect(page.getByRole('status').filter({ hasText: messages.google_register_succeeded })).toBeVisible()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByText('連携しています')).toBeVisible()
  await expect(page.getByText('確認済')).toBeVisible()
  await expect(page.getByRole('button', { name: 'パスワードを設定する' })).toBeVisible()
})

test('somebody with an account logs in with Google, back to where they came from', async ({ page }) => {
  const person = somebody()
  await beAtGoogle(page, person)
  await page.goto(`${board.url}/register`)
  await page.getByRole('button', { name: /^signup_with/ }).click()
  await expect(page).toHaveURL(/\/profile$/)
  await page.getByRole('button', { name: 'ログアウト' }).click()
  await page.goto(`${board.url}/login?next=/categories`)
  await page.getByRole('button', { name: /^signin_with/ }).click()
  await expect(page).toHaveURL(/\/categories$/)
})

test('a sign-in that has waited for too long fails once, and the next press is good', async ({ page, context }) => {
  await beAtGoogle(page, somebody())
  await page.goto(`${board.url}/login`)
  const button = page.getByRole('button', { name: /^signin_with/ })
  await expect(button).toBeVisible()
  // The browser has forgotten by then that it began one.
  await context.clearCookies({ name: 'google' })
  const prepared = page.waitForResponse('**/auth/google/nonce')
  await button.click()
  await expect(page.getByRole('alert')).toContainText(messages.google_login_failed)
  await prepared
  await expect(button).toHaveCount(1)
  await button.click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('a moderator types the code of the second factor under the button', async ({ page }) => {
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

test('what Google or the board refuses is said under the button', async ({ page }) => {
  await beAtGoogle(page, somebody({ verified: false }))
  await page.goto(`${board.url}/login`)
  await page.getByRole('button', { name: /^signin_with/ }).click()
  await expect(page.getByRole('alert')).toContainText(messages.google_login_failed)
  await page.goto(`${board.url}/register`)
  await page.getByRole('button', { name: /^signup_with/ }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.google_email_unverified)
  await expect(page).toHaveURL(/\/register$/)
})

test('a script that cannot be loaded leaves the rest of the screen as it is', async ({ page, complaints }) => {
  await page.route('https://accounts.google.com/gsi/client', (route) => route.abort())
  await page.goto(`${board.url}/login`)
  await expect(page.getByText('Googleのボタンを読み込めませんでした。')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Googleでログイン' })).toBeDisabled()
  await expect(page.getByLabel('会員名')).toBeEditable()
  // What goes wrong in the widget is for the console.
  expect(complaints.splice(0)).toEqual([expect.stringContaining(messages.google_login_failed)])
})

test('a board without Google says so, and asks Google for nothing', async ({ page, board: without }) => {
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
