import type { Locator, Page } from '@playwright/test'
import { messages } from '@shinobi/contract/messages'
import sharp from 'sharp'
import { signUp, startThread, type Board, type Member } from '../board.ts'
import { expect, fillLogin, logIn, test } from '../test.ts'

async function openProfile(page: Page, board: Board, member: Member): Promise<void> {
  await logIn(page.context(), board, member)
  await page.goto(`${board.url}/profile`)
  // The sessions come last, and move what is below them.
  await expect(page.getByText('この端末')).toBeVisible()
}

/** A picture in two colours: red on the left, blue on the right. */
const picture = (format: 'png' | 'jpeg' = 'png', orientation = 1) =>
  sharp({ create: { width: 400, height: 200, channels: 3, background: '#0000ff' } })
    .composite([
      {
        input: { create: { width: 200, height: 200, channels: 3, background: '#ff0000' } },
        left: 0,
        top: 0,
      },
    ])
    .withMetadata({ orientation })
    .toFormat(format)
    .toBuffer()

const choose = (page: Page, name: string, mimeType: string, buffer: Buffer) =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType, buffer })

/** The box of an element after its dialog has stopped moving; hovering waits for that. */
async function boxAtRest(element: Locator) {
  await element.hover()
  return (await element.boundingBox())!
}

/** Colour in the middle of the stored avatar. */
async function avatarColour(page: Page): Promise<[red: number, blue: number]> {
  const source = await page.getByRole('img', { name: 'プロフィール画像' }).getAttribute('src')
  const answer = await page.request.get(new URL(source!, page.url()).href)
  const { channels } = await sharp(await answer.body()).stats()
  return [Math.round(channels[0]!.mean), Math.round(channels[2]!.mean)]
}

test('a member changes the name, or cancels', async ({ page, board, complaints }) => {
  const member = await signUp(board)
  const other = await signUp(board)
  await openProfile(page, board, member)
  const field = page.getByLabel('新しい会員名')
  const edit = page.getByRole('button', { name: '名前を変える' })
  await edit.click()
  await expect(field).toHaveValue(member.user.name)
  await field.fill('取り消される名')
  await page.getByRole('button', { name: 'キャンセル' }).click()
  await expect(page.getByRole('heading', { name: member.user.name })).toBeVisible()
  await expect(edit).toBeFocused()

  await edit.click()
  await field.fill('短')
  await field.press('Enter')
  await expect(page.getByText(messages.username_length)).toBeVisible()
  await field.fill('　')
  await field.press('Enter')
  await expect(page.getByText(messages.name_required)).toBeVisible()
  await field.fill(other.user.name)
  await field.press('Enter')
  await expect(page.getByText(messages.username_taken)).toBeVisible()
  // The failure is logged on the console as well.
  expect(complaints.splice(0)).toEqual([expect.stringContaining(messages.username_taken)])
  await field.press('Escape')
  await edit.click()
  await field.fill(`${member.user.name}改`)
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: `${member.user.name}改` })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: `${member.user.name}改` })).toBeVisible()
})

test('a name that is changed in one tab shows in another, where saving does not put the old one back', async ({
  page,
  context,
  board,
}) => {
  const member = await signUp(board)
  await openProfile(page, board, member)
  const other = await context.newPage()
  await other.goto(`${board.url}/profile`)
  await expect(other.getByText('この端末')).toBeVisible()
  const renamed = `${member.user.name}改`
  await page.getByRole('button', { name: '名前を変える' }).click()
  await other.getByRole('button', { name: '名前を変える' }).click()
  await other.getByLabel('新しい会員名').fill(renamed)
  await other.getByRole('button', { name: '保存' }).click()
  // The form that was opened before still has the old name, which nobody has typed.
  await expect(other.getByRole('heading', { name: renamed })).toBeVisible()
  await page.getByRole('button', { name: '保存' }).click()
  await expect(page.getByRole('heading', { name: renamed })).toBeVisible()

  await choose(page, 'two.png', 'image/png', await picture())
  const dialog = page.getByRole('dialog', { name: '画像を切り抜く' })
  await dialog.getByRole('button', { name: 'この画像にする' }).click()
  await expect(dialog).toBeHidden()
  const source = await page.getByRole('img', { name: 'プロフィール画像' }).getAttribute('src')
  await expect(other.getByRole('img', { name: 'プロフィール画像' })).toHaveAttribute('src', source!)
  expect(await page.evaluate(() => localStorage.getItem('user'))).toContain(renamed)
  await other.close()
})

test('a member hides the image in this browser, and shows it again', async ({ page, board }) => {
  await openProfile(page, board, await signUp(board))
  const image = page.getByRole('img', { name: 'プロフィール画像' })
  await expect(image).toHaveAttribute('src', '/default-avatar.png')
  await expect(image).toHaveCSS('width', '120px')
  const kept = () => page.evaluate(() => localStorage.getItem('showProfileImage'))
  await page.getByRole('button', { name: '画像を隠す' }).click()
  await expect(image).toBeHidden()
  expect(await kept()).toBe('false')
  await page.reload()
  await expect(page.getByRole('button', { name: '画像を表示' })).toBeVisible()
  await expect(image).toBeHidden()
  await page.getByRole('button', { name: '画像を表示' }).click()
  await expect(image).toBeVisible()
  expect(await kept()).toBe('true')
})

test('a file that is no image, too large or unreadable is refused with a message, which moves nothing', async ({
  page,
  board,
}) => {
  await openProfile(page, board, await signUp(board))
  await expect(page.locator('input[type=file]')).toHaveAttribute('accept', 'image/*')
  const below = await page.getByRole('contentinfo').boundingBox()
  await choose(page, 'a.pdf', 'application/pdf', Buffer.from('%PDF'))
  await expect(page.getByText(messages.profile_image_type)).toBeVisible()
  await choose(page, 'a.png', 'image/png', Buffer.alloc(5_242_881))
  await expect(page.getByText(messages.profile_image_too_large)).toBeVisible()
  expect(await page.getByRole('contentinfo').boundingBox()).toEqual(below)
  await choose(page, 'a.heic', 'image/heic', Buffer.from('ftypheic'))
  const dialog = page.getByRole('dialog', { name: '画像を切り抜く' })
  await expect(dialog.getByRole('alert')).toHaveText(messages.image_broken)
  // The dialog's close button, and the one below the message.
  await dialog.getByRole('button', { name: '閉じる' }).last().click()
  await expect(dialog).toBeHidden()
})

test('a member crops the avatar by dragging, zooming and keys @both', async ({ page, board }) => {
  await openProfile(page, board, await signUp(board))
  await choose(page, 'two.png', 'image/png', await picture())
  const dialog = page.getByRole('dialog', { name: '画像を切り抜く' })
  const view = dialog.getByRole('application')
  // Both colours meet in the middle; after dragging to the right, only red is left there.
  const box = await boxAtRest(view)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x + box.width, y, { steps: 4 })
  await page.mouse.up()
  await dialog.getByRole('button', { name: 'この画像にする' }).click()
  await expect(dialog).toBeHidden()
  const [red, blue] = await avatarColour(page)
  expect(red).toBeGreaterThan(240)
  expect(blue).toBeLessThan(15)

  // The content of a closed dialog stays for a moment.
  await expect(page.locator('[role=application]')).toHaveCount(0)
  await choose(page, 'two.png', 'image/png', await picture())
  await view.focus()
  for (let press = 0; press < 30; press += 1) await view.press('ArrowLeft')
  await view.press('+')
  await expect(dialog.getByRole('slider', { name: '拡大率' })).not.toHaveValue('0')
  await dialog.getByRole('button', { name: 'この画像にする' }).click()
  await expect(dialog).toBeHidden()
  expect((await avatarColour(page))[1]).toBeGreaterThan(240)
  // From now on every page shows it.
  const source = await page.getByRole('img', { name: 'プロフィール画像' }).getAttribute('src')
  await page.reload()
  await expect(page.getByRole('img', { name: 'プロフィール画像' })).toHaveAttribute('src', source!)
})

test('a pinch enlarges the image and moves it', async ({ page, board, isMobile }) => {
  test.skip(!isMobile, 'only where there are fingers')
  await openProfile(page, board, await signUp(board))
  await choose(page, 'two.png', 'image/png', await picture())
  const dialog = page.getByRole('dialog', { name: '画像を切り抜く' })
  const box = await boxAtRest(dialog.getByRole('application'))
  const y = box.y + box.height / 2
  const session = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...across: number[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: across.map((share, id) => ({ x: box.x + box.width * share, y, id })),
    })
  // Both fingers start in the left half and spread: the red part grows until it fills the view.
  await touch('touchStart', 0.25, 0.35)
  for (const spread of [0.1, 0.2, 0.3]) await touch('touchMove', 0.25, 0.35 + spread)
  await touch('touchEnd')
  await expect(dialog.getByRole('slider', { name: '拡大率' })).not.toHaveValue('0')
  await dialog.getByRole('button', { name: 'この画像にする' }).click()
  await expect(dialog).toBeHidden()
  expect((await avatarColour(page))[0]).toBeGreaterThan(200)
})

test('a photograph is shown upright, however the camera was held', async ({ page, board }) => {
  await openProfile(page, board, await signUp(board))
  // Turned by 90 degrees: the left of the file is the top of the picture.
  await choose(page, 'turned.jpg', 'image/jpeg', await picture('jpeg', 6))
  const dialog = page.getByRole('dialog', { name: '画像を切り抜く' })
  const view = dialog.getByRole('application')
  await view.focus()
  for (let press = 0; press < 30; press += 1) await view.press('ArrowDown')
  await dialog.getByRole('button', { name: 'この画像にする' }).click()
  await expect(dialog).toBeHidden()
  expect((await avatarColour(page))[0]).toBeGreaterThan(230)
})

test('a failed upload can be retried by the same button, which stays where it is', async ({ page, board }) => {
  await openProfile(page, board, await signUp(board))
  await page.route('**/auth/profile/image', (route) => route.abort(), { times: 1 })
  await choose(page, 'two.png', 'image/png', await picture())
  const dialog = page.getByRole('dialog', { name: '画像を切り抜く' })
  const upload = dialog.getByRole('button', { name: 'この画像にする' })
  // The row below the picture comes with it.
  await expect(upload).toBeEnabled()
  const before = await boxAtRest(upload)
  await upload.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.profile_image_failed + messages.check_line)
  expect(await boxAtRest(upload)).toEqual(before)
  await upload.click()
  await expect(dialog).toBeHidden()
})

test('the profile lists the threads a member has posted in, and links to them', async ({ page, board }) => {
  const member = await signUp(board)
  await openProfile(page, board, member)
  await expect(page.getByText('書き込んだスレッドはありません。')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'プロフィール情報' })).toBeHidden()
  const thread = await startThread(board, { title: '忍びの集う部屋' })
  await member.send('POST', `/api/threads/${thread._id}/posts`, { content: '参加します' })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'プロフィール情報' })).toBeVisible()
  await page.getByRole('link', { name: '忍びの集う部屋' }).click()
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
})

test('a profile that fails to load shows so in place of the name, and can be retried', async ({ page, board }) => {
  const member = await signUp(board)
  await logIn(page.context(), board, member)
  await page.route('**/auth/profile', (route) =>
    route.request().resourceType() === 'document' ? route.continue() : route.abort(),
  )
  await page.goto(`${board.url}/profile`)
  await expect(page.getByRole('alert')).toContainText(messages.profile_failed)
  await page.unroute('**/auth/profile')
  await page.getByRole('button', { name: 'もう一度試す' }).click()
  await expect(page.getByRole('heading', { name: member.user.name })).toBeVisible()
})

test('a change of the password ends the other sessions', async ({ page, board }) => {
  const member = await signUp(board)
  await openProfile(page, board, member)
  await expect(page.getByText('この端末')).toBeVisible()
  await expect(page.getByRole('button', { name: /のセッションを終了する$/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'パスワードを変える' }).click()
  const dialog = page.getByRole('dialog', { name: 'パスワードの変更' })
  const submit = dialog.getByRole('button', { name: '変更する' })
  await submit.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.register_required_fields)
  for (const field of ['現在のパスワード', '新しいパスワード']) {
    await expect(dialog.getByLabel(field)).toHaveAttribute('aria-invalid', 'true')
  }
  await dialog.getByLabel('現在のパスワード').fill('ちがう合言葉')
  await dialog.getByLabel('新しいパスワード').fill('新しい合言葉 43')
  await submit.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.password_wrong)
  await expect(dialog.getByLabel('現在のパスワード')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('現在のパスワード').fill(member.password)
  await submit.click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(messages.password_changed)).toBeVisible()
  await expect(page.getByText('この端末')).toBeVisible()
  await expect(page.getByRole('button', { name: /のセッションを終了する$/ })).toHaveCount(0)
})

test('a member ends the session of another device, and then all of them', async ({ page, board, playwright }) => {
  const member = await signUp(board)
  for (const agent of ['Firefox/140.0 Windows', 'Chrome/140.0 Android']) {
    const device = await playwright.request.newContext({ userAgent: agent, extraHTTPHeaders: { origin: board.url } })
    const data = { username: member.user.name, password: member.password }
    expect((await device.post(`${board.url}/auth/login`, { data })).ok()).toBe(true)
    await device.dispose()
  }
  await openProfile(page, board, member)
  const others = page.getByRole('button', { name: /のセッションを終了する$/ })
  await expect(others).toHaveCount(3)
  await page.getByRole('button', { name: 'Firefox / Windowsのセッションを終了する' }).click()
  await expect(others).toHaveCount(2)
  await page.getByRole('button', { name: 'ほかの端末をすべて終了する' }).click()
  await expect(others).toHaveCount(0)
  await expect(page.getByText('この端末')).toBeVisible()
  await expect(member.send('POST', '/auth/verify', {})).rejects.toThrow('401')
})

test('a member deletes the account and is logged out', async ({ page, board }) => {
  const member = await signUp(board)
  await openProfile(page, board, member)
  await page.getByRole('button', { name: 'アカウントを削除する' }).click()
  const dialog = page.getByRole('dialog', { name: 'アカウントを削除する' })
  await expect(dialog.getByText('スレッドと書き込みは残り')).toBeVisible()
  const submit = dialog.getByRole('button', { name: '削除する', exact: true })
  await dialog.getByLabel(/会員名を入力/).fill('だれか別の人')
  await dialog.getByLabel('現在のパスワード').fill(member.password)
  await submit.click()
  await expect(dialog.getByRole('alert')).toHaveText(messages.account_delete_unconfirmed)
  await dialog.getByLabel(/会員名を入力/).fill(member.user.name)
  await submit.click()
  await expect(page).toHaveURL(/\/login$/)
  await expect(page.getByText('アカウントを削除しました。')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
  await fillLogin(page, member.user.name, member.password)
  await expect(page.getByRole('alert')).toContainText(messages.login_failed)
})
