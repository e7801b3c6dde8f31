import type { Locator, Page } from '@playwright/test'
import { messages } from '@shinobi/contract/messages'
import { startThread, signUp } from '../board.ts'
import { expect, fillLogin, holdScripts, logIn, postOf, rowOf, test, untilScripted } from '../test.ts'

const PASSWORD = '忍びの合言葉 42'

const passwordOf = (page: Page | Locator) => page.getByLabel('パスワード', { exact: true })

let registered = 0
const freshName = () => `新入り${Date.now() % 1_000_000}の${(registered += 1)}`

test('a visitor registers, sees the welcome for a moment, and comes to the profile', async ({ page, board }) => {
  const name = freshName()
  await page.goto(board.url)
  await page.goto(`${board.url}/register`)
  await expect(page.getByRole('link', { name: '利用規約' }).first()).toHaveAttribute('href', '/terms')
  await page.getByLabel('会員名').fill(name)
  await page.getByLabel('メールアドレス').fill(`${Date.now()}@example.jp`)
  await passwordOf(page).fill(PASSWORD)
  const now = Date.now()
  await page.clock.install({ time: now })
  // Later than its clock can be by now.
  await page.clock.pauseAt(now + 30_000)
  await page.getByRole('button', { name: '登録する' }).click()
  const banner = page.getByRole('status').filter({ hasText: messages.register_succeeded })
  await expect(banner).toContainText(`ようこそ、${name}さん`)
  await expect(banner.locator('svg').first()).toBeVisible()
  // The guest guard of the page must not redirect before the banner's time is over.
  await page.clock.runFor(1_400)
  await expect(page).toHaveURL(/\/register$/)
  await expect(banner).toBeVisible()
  await page.clock.runFor(200)
  await page.clock.resume()
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('heading', { name })).toBeVisible()
  // Back does not lead to the form again.
  await page.goBack()
  await expect(page).toHaveURL(new RegExp(`^${board.url}/?$`))
})

test('a refused registration names the fields to correct, and keeps what was typed @both', async ({
  page,
  board,
  isMobile,
}) => {
  // On a phone the keyboard would cover the message, so the field gets no focus there.
  const expectFocus = (field: Locator) =>
    isMobile ? expect(page.locator('input:focus')).toHaveCount(0) : expect(field).toBeFocused()
  const taken = await signUp(board)
  await page.goto(`${board.url}/register`)
  const banner = page.getByRole('alert')
  const submit = page.getByRole('button', { name: '登録する' })
  await submit.click()
  await expect(banner).toHaveText(messages.register_required_fields)
  await expectFocus(page.getByLabel('会員名'))
  await page.getByLabel('会員名').fill('楓')
  await page.getByLabel('メールアドレス').fill('kaede@example')
  await passwordOf(page).fill('短い')
  for (const [field, message, mended] of [
    ['メールアドレス', messages.email_invalid, `kaede${Date.now()}@example.jp`],
    ['会員名', messages.username_length, taken.user.name],
    ['パスワード', messages.password_length, PASSWORD],
  ] as const) {
    await submit.click()
    await expect(banner).toHaveText(message)
    const input = page.getByLabel(field, { exact: true })
    await expectFocus(input)
    await expect(input).toHaveAttribute('aria-invalid', 'true')
    await input.fill(mended)
    await expect(banner).toBeHidden()
  }
  await submit.click()
  await expect(banner).toHaveText(messages.username_taken)
  await expect(page.getByLabel('会員名')).toHaveValue(taken.user.name)
  // An unconfirmed mail address belongs to nobody, and the screen does not reveal whose address it
  // is.
  await page.getByLabel('会員名').fill(freshName())
  await page.getByLabel('メールアドレス').fill(taken.user.email!)
  await submit.click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('a registration whose answer was lost can be sent again', async ({ page, board }) => {
  await page.route('**/auth/register', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.goto(`${board.url}/register`)
  await page.getByLabel('会員名').fill(freshName())
  await page.getByLabel('メールアドレス').fill(`${Date.now()}@example.jp`)
  await passwordOf(page).fill(PASSWORD)
  await page.getByRole('button', { name: '登録する' }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.network)
  await page.unrouteAll({ behavior: 'wait' })
  await page.context().clearCookies()
  await page.getByRole('button', { name: '登録する' }).click()
  await expect(page).toHaveURL(/\/profile$/)
})

test('a member logs in and comes to the profile; a failed attempt shows an error and empties the fields @both', async ({
  page,
  board,
}) => {
  const { user, password } = await signUp(board)
  await page.goto(`${board.url}/login`)
  const alert = page.getByRole('alert')
  const below = page.getByText('またはGoogleでログイン')
  const placeOf = () => below.evaluate((element) => element.getBoundingClientRect().top + scrollY)
  await expect(below).toBeVisible()
  const place = await placeOf()
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await expect(alert).toHaveText(messages.login_required_fields)
  await page.getByLabel('会員名').fill(user.name)
  await passwordOf(page).press('Enter')
  await expect(alert).toHaveText(messages.login_required_fields)
  expect(await placeOf()).toBe(place)
  // Two of the longest messages.
  for (const { status, message } of [
    { status: 503, message: messages.unavailable },
    { status: 429, message: messages.login_limited(15) },
  ]) {
    await page.route('**/auth/login', (route) => route.fulfill({ status, json: { code: 'unavailable', message } }))
    await fillLogin(page, user.name, password)
    await expect(alert).toContainText(message)
    expect(await placeOf()).toBe(place)
    await page.unroute('**/auth/login')
  }
  await fillLogin(page, user.name, 'ちがう合言葉')
  await expect(alert).toHaveText(messages.login_failed_because(messages.login_wrong))
  expect(await placeOf()).toBe(place)
  await expect(page.getByLabel('会員名')).toHaveValue('')
  await expect(passwordOf(page)).toHaveValue('')
  await expect(page).toHaveURL(/\/login$/)
  await fillLogin(page, user.name, password)
  await expect(page).toHaveURL(/\/profile$/)
  await expect(page.getByRole('heading', { name: user.name })).toBeVisible()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user')!) as unknown)).toMatchObject({
    _id: user._id,
    isAdmin: false,
  })
})

test('after too many attempts, the message says how long to wait', async ({ page, board }) => {
  const { user } = await signUp(board)
  const guess = async () => {
    const data = { username: user.name, password: 'あてずっぽう' }
    const answer = await page.request.post(`${board.url}/auth/login`, { headers: { origin: board.url }, data })
    return answer.status()
  }
  await Promise.all(Array.from({ length: 9 }, guess))
  await expect.poll(guess, { intervals: [0] }).toBe(429)
  await page.goto(`${board.url}/login`)
  await fillLogin(page, user.name, 'あてずっぽう')
  await expect(page.getByRole('alert')).toHaveText(/^ログインに失敗しました。.+約\d+分後/)
  await expect(page.getByLabel('会員名')).toHaveValue(user.name)
  await expect(passwordOf(page)).toHaveValue('')
})

test('a network or server failure has another message than a wrong password, and keeps what was typed', async ({
  page,
  context,
  board,
}) => {
  await page.goto(`${board.url}/login`)
  await untilScripted(page)
  await context.setOffline(true)
  await fillLogin(page, 'だれか', 'なにか')
  await expect(page.getByRole('alert')).toHaveText(messages.network)
  await context.setOffline(false)
  await page.route('**/auth/login', (route) => route.fulfill({ status: 503, body: '' }))
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText(messages.login_failed_because(messages.unavailable))
  await expect(page.getByLabel('会員名')).toHaveValue('だれか')
  await expect(passwordOf(page)).toHaveValue('なにか')
})

test('an Enter that ends a conversion does not submit @both', async ({ page, board }) => {
  await page.goto(`${board.url}/login`)
  const name = page.getByLabel('会員名')
  await name.focus()
  const session = await page.context().newCDPSession(page)
  await session.send('Input.imeSetComposition', { text: 'かえで', selectionStart: 3, selectionEnd: 3 })
  const press = { type: 'rawKeyDown', key: 'Process', windowsVirtualKeyCode: 229, code: 'Enter' } as const
  await session.send('Input.dispatchKeyEvent', press)
  await session.send('Input.insertText', { text: '楓' })
  await expect(name).toHaveValue('楓')
  await expect(page.getByRole('alert')).toBeHidden()
  // A person presses the next key tasks later; the driver may press it in the task that ends the
  // conversion.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await name.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(messages.login_required_fields)
})

test('a log-in submitted before the script runs is sent when it runs', async ({ page, board }) => {
  const { user, password } = await signUp(board)
  const runScripts = await holdScripts(page)
  await page.goto(`${board.url}/login`, { waitUntil: 'commit' })
  await fillLogin(page, user.name, password)
  await expect(page).toHaveURL(/\/login$/)
  runScripts()
  await expect(page.getByRole('heading', { name: user.name })).toBeVisible()
})

test('a password can be shown, and is hidden again when it is sent', async ({ page, board }) => {
  await page.goto(`${board.url}/login`)
  await passwordOf(page).fill('ちらり')
  await page.getByRole('button', { name: 'パスワードを表示' }).click()
  await expect(passwordOf(page)).toHaveAttribute('type', 'text')
  await expect(passwordOf(page)).toHaveValue('ちらり')
  await page.getByLabel('会員名').fill('だれか')
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
  await expect(passwordOf(page)).toHaveAttribute('type', 'password')
})

test.describe('the guards', () => {
  test('lead a guest from the profile to the log-in, by address and by link, and back afterwards', async ({
    page,
    board,
  }) => {
    const { user, password } = await signUp(board)
    const answers: number[] = []
    page.on('response', (answer) => {
      if (new URL(answer.url()).pathname === '/profile') answers.push(answer.status())
    })
    await page.goto(`${board.url}/profile`)
    await expect(page).toHaveURL(/\/login$/)
    // The server redirects, so the profile was never drawn.
    expect(answers).toEqual([302])
    await page.goto(board.url)
    await page.evaluate(() => {
      const link = document.createElement('a')
      link.href = '/profile'
      link.textContent = '裏口'
      // A plain link, which works whether or not the page's script has run.
      document.body.prepend(link)
    })
    await page.getByRole('link', { name: '裏口' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await fillLogin(page, user.name, password)
    await expect(page.getByRole('heading', { name: user.name })).toBeVisible()
  })

  test('lead a member from log-in and registration to the profile, and never show the form', async ({
    page,
    context,
    board,
  }) => {
    await logIn(context, board, await signUp(board))
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        if (document.querySelector('main input[name="password"]') !== null) seen.push(location.pathname)
      }).observe(document, { childList: true, subtree: true })
    })
    for (const path of ['/login', '/register']) {
      await page.goto(board.url + path)
      await expect(page).toHaveURL(/\/profile$/)
      await expect(page.getByText('ログイン中の端末')).toBeVisible()
      expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
    }
  })

  test('never show a wrong page while the script is loading', async ({ page, context, board }) => {
    const member = await signUp(board)
    await page.route('**/assets/*.js', async (route) => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('ログイン')
      await route.continue()
    })
    // As a guest: the first HTML contains the form.
    await page.goto(`${board.url}/profile`)
    await expect(page).toHaveURL(/\/login$/)
    await page.unrouteAll({ behavior: 'wait' })
    await logIn(context, board, member)
    await page.route('**/assets/*.js', async (route) => {
      const fields = await page.locator('main input').count()
      // The profile, which the script leads to, has fields of its own.
      if (page.url().endsWith('/login')) expect(fields).toBe(0)
      await route.continue()
    })
    await page.goto(`${board.url}/login`)
    await expect(page.getByRole('heading', { name: member.user.name })).toBeVisible()
    // Later parts of the script may be on their way.
    await page.unrouteAll({ behavior: 'wait' })
  })

  test('never redirect to another site after the log-in', async ({ page, board }) => {
    const { user, password } = await signUp(board)
    await page.goto(`${board.url}/login?next=${encodeURIComponent('//evil.example/')}`)
    await fillLogin(page, user.name, password)
    await expect(page).toHaveURL(`${board.url}/profile`)
  })

  test('lead back to the page the visitor came from', async ({ page, board }) => {
    const { user, password } = await signUp(board)
    const thread = await startThread(board, { title: '戻ってくる場所' })
    await page.goto(`${board.url}/login?next=${encodeURIComponent(`/thread/${thread._id}`)}`)
    await fillLogin(page, user.name, password)
    await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('戻ってくる場所')
  })
})

/** The visible links of the site; on a phone those of the drawer. */
async function seenLinks(page: Page, isMobile: boolean): Promise<string[]> {
  if (isMobile) await page.getByRole('button', { name: 'メニュー' }).click()
  const links = page.getByRole('navigation', { name: isMobile ? 'メニュー' : 'メイン' }).getByRole('link')
  await expect(links.first()).toBeVisible()
  return links.evaluateAll((all) =>
    all.filter((link) => (link as HTMLElement).checkVisibility()).map((link) => link.getAttribute('href')!),
  )
}

const COMMON = ['/create', '/categories', '/ranking', '/notebook', '/about']

test('header and drawer show the log-in to guests, and the profile to members @both', async ({
  page,
  context,
  board,
  isMobile,
}) => {
  await page.goto(board.url)
  expect(await seenLinks(page, isMobile)).toEqual([...COMMON, '/login', '/register'])
  await logIn(context, board, await signUp(board))
  await page.goto(board.url)
  expect(await seenLinks(page, isMobile)).toEqual([...COMMON, '/profile'])
  // The first HTML has all of it; no script is needed.
  await page.route('**/assets/*.js', () => {})
  await page.goto(`${board.url}/about`, { waitUntil: 'commit' })
  await expect(
    page.getByRole('navigation', { name: 'フッター' }).getByRole('link', { name: 'プロフィール' }),
  ).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'フッター' }).getByRole('link', { name: 'ログイン' })).toBeHidden()
})

test('a member creates a thread without a nickname, under the profile name', async ({ page, context, board }) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  await page.goto(`${board.url}/create`)
  await expect(page.getByLabel(/ニックネーム/)).toBeHidden()
  await expect(page.getByText('会員名で書き込みます。')).toBeVisible()
  await page.getByLabel(/タイトル/).fill('名乗って立てるスレッド')
  await page.getByLabel(/内容/).fill('隠れない忍びです')
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await rowOf(page, '名乗って立てるスレッド').click()
  await expect(postOf(page, 1)).toContainText(member.user.name)
})

test('a guest sees the nickname field at once, and a member never does', async ({ page, context, board }) => {
  await page.route('**/assets/*.js', () => {})
  await page.goto(`${board.url}/create`, { waitUntil: 'commit' })
  await expect(page.getByLabel(/ニックネーム/)).toBeVisible()
  await page.unroute('**/assets/*.js')
  await logIn(context, board, await signUp(board))
  await page.route('**/assets/*.js', () => {})
  await page.goto(`${board.url}/create`, { waitUntil: 'commit' })
  await expect(page.getByText('会員名で書き込みます。')).toBeVisible()
  await expect(page.getByLabel(/ニックネーム/)).toBeHidden()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('the links lead to the log-in, the profile redirects to it, and a password never gets into an address', async ({
    page,
    board,
  }) => {
    await page.goto(board.url)
    await page.getByRole('navigation', { name: 'フッター' }).getByRole('link', { name: 'ログイン' }).click()
    await expect(page).toHaveURL(/\/login$/)
    await page.goto(`${board.url}/profile`)
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.locator('main noscript p')).toHaveText('この画面にはJavaScriptが必要です。')
    await page.getByLabel('会員名').fill('楓')
    await page.locator('input[name=password]').fill('ひみつ')
    await page.locator('input[name=password]').press('Enter')
    await expect(page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true })).toBeHidden()
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByLabel('会員名')).toHaveValue('楓')
    await page.goto(`${board.url}/register`)
    await expect(page.getByRole('heading', { name: '新規登録' })).toBeVisible()
  })
})
