import type { Page } from '@playwright/test'
import { readPosts, signUp, startThread, writePost, writePosts } from '../board.ts'
import {
  composerOf,
  enterThread,
  expect,
  logIn,
  openWithoutLine,
  postOf,
  postsOf,
  repeatUntil,
  saidOnPage,
  say,
  test,
} from '../test.ts'

test('Enter sends, Shift+Enter breaks the line, and an Enter that ends a conversion does neither @both', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(isMobile, 'a touch keyboard has no Shift+Enter')
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const composer = composerOf(page)
  await composer.pressSequentially('一行目')
  await composer.press('Shift+Enter')
  await composer.pressSequentially('二行目')
  await composer.press('Enter')
  await expect(postOf(page, 2)).toContainText('一行目\n二行目', { useInnerText: true })

  // A real conversion through the browser's input method interface.
  const session = await page.context().newCDPSession(page)
  await composer.focus()
  await session.send('Input.imeSetComposition', { text: 'にんじゃ', selectionStart: 4, selectionEnd: 4 })
  await session.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Process',
    windowsVirtualKeyCode: 229,
    code: 'Enter',
  })
  await expect(postsOf(page)).toHaveCount(2)
  await session.send('Input.insertText', { text: '忍者' })
  await expect(composer).toHaveValue('忍者')
  // A person presses the next key tasks later; the driver may press it in the task that ends the
  // conversion.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await composer.press('Enter')
  await expect(postOf(page, 3)).toContainText('忍者')
  await expect(postsOf(page)).toHaveCount(3)
})

/** Posts go by HTTP and are stored, but their answers wait for the call of the result. */
async function holdAnswers(page: Page, threadId: string): Promise<() => void> {
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  // However long it takes: no request of the page gives up.
  await page.addInitScript(() => (AbortSignal.timeout = () => new AbortController().signal))
  const { promise: held, resolve } = Promise.withResolvers<void>()
  await page.route(`**/api/threads/${threadId}/posts`, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  return resolve
}

test('text typed while a post is being sent is kept as the next post, and its conversion is not disturbed @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  const answer = await holdAnswers(page, thread._id)
  await enterThread(page, board, thread._id)
  const composer = composerOf(page)
  const send = page.getByRole('button', { name: '送信', exact: true })
  await composer.fill('先の一言')
  await send.click()
  await expect.poll(async () => (await readPosts(board, thread._id)).length).toBe(2)

  const session = await page.context().newCDPSession(page)
  await composer.focus()
  await session.send('Input.imeSetComposition', { text: 'にんじゃ', selectionStart: 4, selectionEnd: 4 })
  await expect(composer).toHaveValue('先の一言にんじゃ')
  answer()
  await expect(postOf(page, 2)).toContainText('先の一言')
  await session.send('Input.imeSetComposition', { text: 'にんじゃが', selectionStart: 5, selectionEnd: 5 })
  await expect(composer).toHaveValue('先の一言にんじゃが')
  await session.send('Input.insertText', { text: '忍者が' })
  await expect(composer).toHaveValue('忍者が')
  await composer.pressSequentially('来た')
  await send.click()
  await expect(postOf(page, 3)).toContainText('忍者が来た')
  await expect(composer).toHaveValue('')
  expect((await readPosts(board, thread._id)).map((post) => post.content).slice(1)).toEqual(['先の一言', '忍者が来た'])
})

test('on a touch keyboard Enter breaks the line, and the button sends @both', async ({ page, board, isMobile }) => {
  test.skip(!isMobile, 'only touch keyboards')
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await composerOf(page).pressSequentially('一行目')
  await composerOf(page).press('Enter')
  await composerOf(page).pressSequentially('二行目')
  await expect(composerOf(page)).toHaveValue('一行目\n二行目')
  await page.getByRole('button', { name: '送信', exact: true }).tap()
  await expect(postOf(page, 2)).toContainText('二行目')
})

test('the field grows to eight rows, and to four on a low screen or above a phone’s keyboard @both', async ({
  page,
  board,
  isMobile,
}) => {
  test.skip(!isMobile, 'only phones have such a keyboard')
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await composerOf(page).fill(Array.from({ length: 12 }, (_, index) => `${index + 1}行目`).join('\n'))
  const rowsShown = () =>
    composerOf(page).evaluate((field) => {
      const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(field)
      const text = field.clientHeight - Number.parseFloat(paddingTop) - Number.parseFloat(paddingBottom)
      return Math.round(text / Number.parseFloat(lineHeight))
    })
  await expect.poll(rowsShown).toBe(8)
  // A keyboard that covers the page instead of resizing it, as on iOS.
  const cover = (height: number) =>
    page.evaluate((covered) => {
      Object.defineProperty(visualViewport, 'height', { configurable: true, value: innerHeight - covered })
      visualViewport!.dispatchEvent(new Event('resize'))
    }, height)
  await cover(336)
  await expect.poll(rowsShown).toBe(4)
  await expect(page.locator('[data-dock]')).toHaveCSS('bottom', '336px')
  await cover(0)
  await expect.poll(rowsShown).toBe(8)
  await page.setViewportSize({ width: 844, height: 390 })
  await expect.poll(rowsShown).toBe(4)
})

test('typed text survives a reload, a refusal, and leaving the page and coming back', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await composerOf(page).fill('書きかけの巻物')
  await page.reload()
  await expect(composerOf(page)).toHaveValue('書きかけの巻物')
  await page.goto(`${board.url}/about`)
  await page.goBack()
  await expect(composerOf(page)).toHaveValue('書きかけの巻物')
  // The browser restores the field before the script reads it.
  await expect(page.getByText('自動更新中')).toBeVisible()

  const told = saidOnPage(page, '使えない言葉が含まれているため')
  await say(page, 'お前は死 ね')
  await told
  await expect(composerOf(page)).toHaveValue('お前は死 ね')
  await expect(page.getByRole('alert').filter({ hasText: '使えない言葉が含まれているため' })).toBeHidden()
})

test('text that waits in one tab survives what another tab of the thread sends, unless it is that text', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const other = await context.newPage()
  await other.goto(`${board.url}/thread/${thread._id}`)
  // Text that is typed before the script runs would be added to what the first tab stores.
  await expect(other.getByText('自動更新中')).toBeVisible()
  const isStored = (text: string) =>
    expect.poll(() => page.evaluate((id) => localStorage.getItem(`draft:post:${id}`), thread._id)).toContain(text)
  await composerOf(page).fill('一枚目の下書き')
  await isStored('一枚目の下書き')
  // The other tab replaces the stored text, and removes it when it has sent its own.
  await composerOf(other).fill('二枚目の一言')
  await isStored('二枚目の一言')
  await say(other, '二枚目の一言')
  await expect(composerOf(other)).toHaveValue('')
  await page.reload()
  await expect(composerOf(page)).toHaveValue('一枚目の下書き')
  // The browser restores the field before the script reads it.
  await expect(page.getByText('自動更新中')).toBeVisible()

  // The other tab shows the text of this one, and sends it.
  await composerOf(page).fill('三枚目の一言')
  await isStored('三枚目の一言')
  const answer = await holdAnswers(other, thread._id)
  await other.reload()
  await expect(composerOf(other)).toHaveValue('三枚目の一言')
  await other.getByRole('button', { name: '送信', exact: true }).click()
  await isStored('"underWay":"三枚目の一言"')
  answer()
  await expect(composerOf(other)).toHaveValue('')
  await expect(postsOf(page)).toHaveCount(3)
  // It does not wait here to be sent once more.
  await expect(composerOf(page)).toHaveValue('')
  await page.reload()
  await expect(postsOf(page)).toHaveCount(3)
  await expect(composerOf(page)).toHaveValue('')
})

/** Pastes an image, if it has a width, and right after it a PDF, if wanted. */
const paste = (page: Page, { width = 200, isPdf = false }: { width?: number; isPdf?: boolean }) =>
  composerOf(page).evaluate(
    async (field, wanted) => {
      const files: File[] = []
      if (wanted.width > 0) {
        const canvas = new OffscreenCanvas(wanted.width, wanted.width / 2)
        canvas.getContext('2d')!.fillRect(0, 0, wanted.width, wanted.width / 2)
        files.push(new File([await canvas.convertToBlob({ type: 'image/png' })], 'paste.png', { type: 'image/png' }))
      }
      if (wanted.isPdf) files.push(new File(['%PDF'], 'paste.pdf', { type: 'application/pdf' }))
      for (const file of files) {
        const clipboardData = new DataTransfer()
        clipboardData.items.add(file)
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
      }
    },
    { width, isPdf },
  )
const pasteImage = (page: Page) => paste(page, {})

test('an image is pasted, shown, removed, and posted', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const preview = page.getByRole('img', { name: '添付する画像のプレビュー' })
  await pasteImage(page)
  await expect(preview).toBeVisible()
  await page.getByRole('button', { name: '画像を外す' }).click()
  await expect(preview).toBeHidden()
  await pasteImage(page)
  await composerOf(page).fill('絵つき')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText('絵つき')
  await expect(postOf(page, 2).getByRole('img')).toHaveAttribute('height', '100')
  await expect(preview).toBeHidden()
})

test('a refused file leaves an image that is still being read, and each refusal is shown', async ({ page, board }) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const REFUSAL = '対応していない画像形式です'
  const told = saidOnPage(page, REFUSAL)
  await paste(page, { width: 4_000, isPdf: true })
  await told
  await expect(page.getByRole('img', { name: '添付する画像のプレビュー' })).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: REFUSAL })).toBeHidden()
  const toldAgain = saidOnPage(page, REFUSAL)
  await paste(page, { width: 0, isPdf: true })
  await toldAgain
  await say(page, '大きな絵')
  await expect(postOf(page, 2)).toContainText('大きな絵')
  await expect(postOf(page, 2).getByRole('img')).toBeVisible()
})

test('an image that is chosen while a post is being sent stays for the next one', async ({ page, board }) => {
  const thread = await startThread(board)
  const answer = await holdAnswers(page, thread._id)
  await enterThread(page, board, thread._id)
  const preview = page.getByRole('img', { name: '添付する画像のプレビュー' })
  await say(page, '先の一言')
  await pasteImage(page)
  await expect(preview).toBeVisible()
  answer()
  await expect(postOf(page, 2)).toContainText('先の一言')
  await expect(composerOf(page)).toHaveValue('')
  await expect(preview).toBeVisible()
})

test('a press at the end of the page reaches what it was on, although the writer leaves the composer @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await writePosts(board, thread._id, 30)
  await writePost(board, thread._id, '>>1 が始まり')
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  const link = postOf(page, 32).getByRole('link', { name: '>>1', exact: true })
  await composerOf(page).focus()
  // Posts above get their real heights while the page scrolls.
  await repeatUntil(
    () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight)),
    async (patience) => {
      await link.click({ trial: true, ...patience })
      const { y: bottom, height } = await page.evaluate(() => ({
        y: document.documentElement.scrollHeight - innerHeight - scrollY,
        height: document.querySelector('[data-dock]')!.getBoundingClientRect().height,
      }))
      expect(bottom).toBeLessThan(1)
      expect(height).toBeGreaterThan(60)
    },
  )
  const placeOf = async () => (await link.boundingBox())!
  const { x, y, width, height } = await placeOf()
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await expect(composerOf(page)).not.toBeFocused()
  expect((await placeOf()).y).toBeCloseTo(y, 0)
  await page.mouse.up()
  await expect(page).toHaveURL(/#1$/)
})

test('without a network the field is as wide as before, also closed on a phone @both', async ({
  page,
  context,
  board,
  isMobile,
}) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中')).toBeAttached()
  if (isMobile) await composerOf(page).blur()
  const width = async () => (await composerOf(page).boundingBox())!.width
  const before = await width()
  await context.setOffline(true)
  await expect(page.getByText('オフライン', { exact: true })).toBeVisible()
  if (isMobile) expect(await width()).toBe(before)
  else expect(await width()).toBeGreaterThan(400)
})

test('a refused text that its writer has replaced meanwhile stays, and so does the new one', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  const answer = await holdAnswers(page, thread._id)
  await enterThread(page, board, thread._id)
  await say(page, 'お前は死 ね')
  await composerOf(page).fill('まったく別の一言')
  answer()
  const refused = page.getByRole('region', { name: 'まだ送っていない自分の書き込み' }).getByRole('article')
  await expect(refused).toContainText('使えない言葉が含まれているため')
  await expect(composerOf(page)).toHaveValue('まったく別の一言')
  await refused.getByRole('button', { name: '編集' }).click()
  await expect(composerOf(page)).toHaveValue('まったく別の一言\nお前は死 ね')
  await expect(refused).toHaveCount(0)
})

test('an image stays with its post when the session has ended, and is sent after a log-in in another tab', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openWithoutLine(page, board, thread._id, member)
  await pasteImage(page)
  const preview = page.getByRole('img', { name: '添付する画像のプレビュー' })
  await expect(preview).toBeVisible()
  await composerOf(page).fill('絵つき')
  await member.send('DELETE', '/auth/sessions')
  const refused = page.waitForResponse((response) => response.url().endsWith('/posts') && response.status() === 401)
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await refused
  await expect(page.getByText('別のタブでログインしてから送ってください')).toBeVisible()
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
  await expect(preview).toBeVisible()

  await logIn(context, board, member)
  await expect(page.getByText(`${member.user.name} として書き込む`)).toBeVisible()
  await expect(composerOf(page)).toHaveValue('絵つき')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 2)).toContainText(member.user.name)
  await expect(postOf(page, 2).getByRole('img')).toBeVisible()
})

test('a post that waits for another one when the session ends is back in its field, with its image', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  await openWithoutLine(page, board, thread._id, member)
  // Another tab of the thread is sending.
  const other = await context.newPage()
  await other.goto(`${board.url}/boot.js`)
  await other.evaluate(
    (id) =>
      new Promise<void>((held) => {
        void navigator.locks.request(`unsent ${id}`, () => {
          held()
          return new Promise((end) => Object.assign(globalThis, { end }))
        })
      }),
    thread._id,
  )
  await page.bringToFront()
  await pasteImage(page)
  const preview = page.getByRole('img', { name: '添付する画像のプレビュー' })
  await expect(preview).toBeVisible()
  await say(page, '絵つき')
  await expect(page.getByRole('progressbar', { name: '送信中' })).toBeVisible()
  await other.evaluate(() => localStorage.setItem('sessionEnded', 'ログインの有効期限が切れました。'))
  await context.clearCookies()
  await other.evaluate(() => localStorage.removeItem('user'))
  await expect(page.getByText('ログインの有効期限が切れました')).toBeVisible()
  await other.evaluate(() => (globalThis as unknown as { end: () => void }).end())
  await expect(page.getByText('別のタブでログインしてから送ってください')).toBeVisible()
  await expect(composerOf(page)).toHaveValue('絵つき')
  await expect(preview).toBeVisible()
})

test('an image that is chosen while a text is being sent stays, too, when the session has ended', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await logIn(context, board, member)
  const answer = await holdAnswers(page, thread._id)
  await openWithoutLine(page, board, thread._id, member)
  await member.send('DELETE', '/auth/sessions')
  await say(page, '先の一言')
  const preview = page.getByRole('img', { name: '添付する画像のプレビュー' })
  await pasteImage(page)
  await expect(preview).toBeVisible()
  answer()
  await expect(page.getByText('別のタブでログインしてから送ってください')).toBeVisible()
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)
  await expect(preview).toBeVisible()
  await expect(composerOf(page)).toHaveValue('先の一言')
})
