/** What a visitor chooses under 表示, and reading with the keyboard. */
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { readPosts, startThread, writePost, type Board } from '../board.ts'
import { composerOf, enterThread, expect, hold, holdScripts, postOf, postsOf, test, untilScripted } from '../test.ts'

const PAPER = 'rgb(244, 239, 228)'
const NIGHT = 'rgb(12, 21, 24)'

/** From the header on a desktop, from the menu on a phone. */
async function openDisplay(page: Page, isMobile: boolean): Promise<Locator> {
  if (isMobile) {
    await page.getByRole('button', { name: 'メニュー' }).tap()
    await page.getByRole('dialog', { name: 'メニュー' }).getByRole('button', { name: /^表示/ }).tap()
  } else await page.getByRole('banner').getByRole('button', { name: '表示' }).click()
  const panel = page.getByRole('dialog', { name: '表示' })
  await expect(panel).toBeVisible()
  return panel
}

const choice = (panel: Locator, group: string, name: string): Locator =>
  panel.getByRole('group', { name: group }).getByRole('radio', { name, exact: true })

/** The attributes that choices set on <html>. */
const choicesOf = (page: Page) =>
  page.evaluate(() => {
    const { text, theme, density, images, send, keys, motion } = document.documentElement.dataset
    return { text, theme, density, images, send, keys, motion }
  })

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

const ALL = {
  ...{ text: 'huge', theme: 'paper', density: 'roomy', images: 'hide', send: 'mod', keys: 'off', motion: 'off' },
}

test('each choice applies at once, in every tab, and is there before any script of the next page', async ({
  page,
  board,
  context,
  isMobile,
}) => {
  await page.goto(board.url)
  const other = await context.newPage()
  await other.goto(`${board.url}/about`)
  const panel = await openDisplay(page, isMobile)
  await choice(panel, '文字', '特大').check()
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe('23px')
  await choice(panel, '配色', '紙').check()
  await expect.poll(() => background(page)).toBe(PAPER)
  await expect(page.locator('meta[name=theme-color]').last()).toHaveAttribute('content', '#f4efe4')
  await choice(panel, '密度', 'ゆったり').check()
  await choice(panel, '画像', '隠す').check()
  await choice(panel, '送信', 'Ctrl+Enter').check()
  await panel.getByRole('switch', { name: '演出を止める' }).click()
  await panel.getByRole('switch', { name: '1文字のキーで操作する' }).click()
  expect(await choicesOf(page)).toEqual(ALL)

  await expect.poll(() => choicesOf(other)).toEqual(ALL)
  expect(await background(other)).toBe(PAPER)
  await expect(other.getByRole('contentinfo').getByRole('switch', { name: '演出を止める' })).toBeChecked()

  const release = await holdScripts(page)
  await page.goto(`${board.url}/terms`, { waitUntil: 'commit' })
  await expect(page.getByRole('heading', { level: 1, name: '利用規約' })).toBeVisible()
  expect(await choicesOf(page)).toEqual(ALL)
  expect(await background(page)).toBe(PAPER)
  release()

  const again = await openDisplay(page, isMobile)
  for (const [group, name, first] of [
    ['文字', '特大', '中'],
    ['配色', '紙', '端末に合わせる'],
    ['密度', 'ゆったり', '詰める'],
    ['画像', '隠す', '表示'],
    ['送信', 'Ctrl+Enter', 'Enter'],
  ] as const) {
    await expect(choice(again, group, name)).toBeChecked()
    await choice(again, group, first).check()
  }
  await again.getByRole('switch', { name: '演出を止める' }).click()
  await again.getByRole('switch', { name: '1文字のキーで操作する' }).click()
  await expect.poll(() => choicesOf(other)).toEqual({})
  const stored = await page.evaluate(() => Object.keys(localStorage))
  // That this browser has records of what it read is no choice.
  expect(stored.filter((key) => key !== 'records')).toEqual([])
  await again.getByRole('button', { name: '閉じる' }).click()
  await expect(again).toBeHidden()
})

test('the panel opens from the footer, closes with Escape and gives the focus back', async ({ page, board }) => {
  await page.goto(board.url)
  const button = page.getByRole('contentinfo').getByRole('button', { name: '表示' })
  await button.click()
  const panel = page.getByRole('dialog', { name: '表示' })
  await expect(panel).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()
})

test('the board follows the system’s theme until the visitor chooses one', async ({ page, board, isMobile }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto(board.url)
  expect(await background(page)).toBe(PAPER)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => background(page)).toBe(NIGHT)
  const panel = await openDisplay(page, isMobile)
  await choice(panel, '配色', '紙').check()
  await expect.poll(() => background(page)).toBe(PAPER)
  await choice(panel, '配色', '夜').check()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.reload()
  expect(await background(page)).toBe(NIGHT)
})

test('without scripts the page has the system’s theme and no button for it', async ({ browser, board }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'light' })
  const page = await context.newPage()
  await page.goto(board.url)
  await expect(page.locator('body')).toHaveCSS('background-color', PAPER)
  await expect(page.getByRole('button', { name: '表示' })).toHaveCount(0)
  await context.close()
})

test('Ctrl+Enter sends where the visitor chose it, and Enter is then a new line', async ({ page, board, isMobile }) => {
  test.skip(isMobile, 'a touch keyboard has no Ctrl')
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const composer = composerOf(page)
  await composer.focus()
  await expect(page.getByText('Enterで送信、Shift+Enterで改行')).toBeVisible()
  const panel = await openDisplay(page, isMobile)
  await choice(panel, '送信', 'Ctrl+Enter').check()
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await composer.focus()
  await expect(page.getByText('Ctrl+Enterで送信、Enterで改行')).toBeVisible()
  await composer.pressSequentially('一行目')
  await composer.press('Enter')
  await composer.pressSequentially('二行目')
  await composer.press('Control+Enter')
  await expect(postOf(page, 2)).toContainText('一行目\n二行目', { useInnerText: true })
  await expect(postsOf(page)).toHaveCount(2)
})

async function postPicture(board: Board, threadId: string, name = '絵師'): Promise<void> {
  const form = new FormData()
  form.set('content', '写真')
  form.set('name', name)
  const png = sharp({ create: { width: 900, height: 600, channels: 3, background: '#b3261e' } }).png()
  form.set('image', new Blob([new Uint8Array(await png.toBuffer())], { type: 'image/png' }), 'p.png')
  const answer = await fetch(`${board.url}/api/threads/${threadId}/posts`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

test('a blurred or hidden picture is shown by the first press, and opened by the second', async ({
  page,
  board,
  context,
}) => {
  const thread = await startThread(board)
  await postPicture(board, thread._id)
  await context.addInitScript(() => {
    localStorage['images'] ??= 'blur'
  })
  await page.goto(`${board.url}/thread/${thread._id}`)
  const picture = postOf(page, 2).locator('img')
  const link = postOf(page, 2).getByRole('link', { name: '2の画像を' })
  await expect(picture).toHaveCSS('filter', /blur/)
  await expect(link).toHaveAccessibleName('2の画像を表示')
  await link.click()
  await expect(picture).toHaveCSS('filter', 'none')
  await link.click()
  await expect(page.getByRole('dialog', { name: '画像' })).toBeVisible()

  await page.evaluate(() => localStorage.setItem('images', 'hide'))
  await page.reload()
  await expect(link).toHaveAccessibleName('2の画像を表示')
  await expect(picture).toBeHidden()
  await link.click()
  await expect(picture).toBeVisible()
  await expect(picture).toHaveCSS('filter', 'none')
})

test('a hidden picture stays hidden in the list of pictures and in the viewer until a press shows it', async ({
  page,
  board,
  context,
}) => {
  const thread = await startThread(board)
  await postPicture(board, thread._id)
  await postPicture(board, thread._id, '写真家')
  await context.addInitScript(() => localStorage.setItem('images', 'hide'))
  await page.goto(`${board.url}/thread/${thread._id}`)
  await page.getByRole('button', { name: '抽出・移動' }).click()
  const tools = page.getByRole('dialog', { name: 'このスレッド' })
  await tools.getByRole('button', { name: '画像一覧' }).click()
  const pictureOf = (number: number) => tools.getByRole('button', { name: `${number}の画像を` })
  const viewer = page.getByRole('dialog', { name: '画像', exact: true })
  for (const [number, place] of [
    [2, '1 / 1'],
    [3, '2 / 2'],
  ] as const) {
    const picture = pictureOf(number)
    await expect(picture).toHaveAccessibleName(`${number}の画像を表示`)
    await expect(picture.locator('img')).toBeHidden()
    await picture.click()
    await expect(picture.locator('img')).toBeVisible()
    await picture.click()
    await expect(viewer.locator('.pswp__counter')).toHaveText(place)
    await page.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
  }
})

test.describe('with the keyboard', () => {
  test.skip(({ isMobile }) => isMobile, 'phones have no keyboard')

  test('j and k go through posts, r answers, and no key acts while the visitor types', async ({ page, board }) => {
    const thread = await startThread(board)
    for (const text of ['二番', '三番', '四番']) await writePost(board, thread._id, text)
    await enterThread(page, board, thread._id)
    await composerOf(page).blur()
    await page.keyboard.press('j')
    await expect(postOf(page, 1)).toBeFocused()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(postOf(page, 3)).toBeFocused()
    await page.keyboard.press('Shift+j')
    await page.keyboard.press('Control+k')
    await expect(postOf(page, 3)).toBeFocused()
    await page.keyboard.press('k')
    await expect(postOf(page, 2)).toBeFocused()
    // A busy browser draws its next frame only when the first letter is there.
    await page.evaluate(() => {
      window.requestAnimationFrame = (draw) => {
        addEventListener('input', () => draw(performance.now()), { once: true })
        return 0
      }
    })
    await page.keyboard.press('r')
    await page.keyboard.type('jkr?/n')
    await expect(composerOf(page)).toBeFocused()
    await expect(composerOf(page)).toHaveValue('>>2\njkr?/n')
  })

  test('n goes to posts that came in meanwhile', async ({ page, board }) => {
    const thread = await startThread(board)
    for (let number = 2; number <= 30; number++) await writePost(board, thread._id, `${number}番の書き込み`)
    await enterThread(page, board, thread._id)
    await composerOf(page).blur()
    await writePost(board, thread._id, '届いたばかり')
    await expect(page.getByRole('button', { name: '新着 1 件' })).toBeVisible()
    await page.keyboard.press('n')
    await expect(postOf(page, 31)).toBeInViewport()
    expect(await readPosts(board, thread._id)).toHaveLength(31)
  })

  test('a search that was asked for on the way to a page that was left is not opened later', async ({
    page,
    board,
  }) => {
    await page.goto(`${board.url}/about`)
    await untilScripted(page)
    const release = await hold(page, '**/api/threads*')
    const asked = page.waitForRequest('**/api/threads*')
    await page.keyboard.press('/')
    await asked
    await page.getByRole('contentinfo').getByRole('link', { name: '利用規約' }).click()
    await expect(page).toHaveURL(/terms/)
    release()
    await page.getByRole('banner').getByRole('link', { name: '忍板' }).click()
    await expect(page).toHaveURL(`${board.url}/`)
    await expect(page.getByRole('heading', { name: 'スレッド一覧' })).toBeVisible()
    await expect(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('j')
    await expect(page.getByRole('searchbox', { name: 'スレッドを検索' })).not.toBeFocused()
  })

  test('j, Enter and / read a list, ? lists the keys, and the switch stops them', async ({ page, board }) => {
    const thread = await startThread(board, { title: 'キーで開くスレッド', category: 'rant' })
    await page.goto(`${board.url}/categories/rant`)
    await untilScripted(page)
    await page.keyboard.press('j')
    const row = page.getByRole('article').getByRole('link', { name: 'キーで開くスレッド', exact: true })
    await expect(row).toBeFocused()
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox', { name: 'スレッドを検索' })).toBeFocused()
    await page.getByRole('searchbox', { name: 'スレッドを検索' }).blur()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(thread._id))
    await expect(postOf(page, 1)).toBeVisible()

    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'キーの一覧' })
    await expect(keys).toContainText('その書き込みに返信')
    await page.keyboard.press('Escape')
    await expect(keys).toBeHidden()

    // The search in the thread, and the jump to a number.
    await page.keyboard.press('/')
    const find = page.getByRole('region', { name: 'スレ内を検索' }).getByRole('searchbox')
    await expect(find).toBeFocused()
    await find.blur()
    await page.keyboard.press('/')
    await expect(find).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(find).toBeHidden()
    await page.keyboard.press('g')
    await expect(page.getByRole('dialog', { name: 'このスレッド' }).getByLabel('番号')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'このスレッド' })).toBeHidden()

    // No search there: leads to the one of the board's list.
    await page.getByRole('banner').getByRole('link', { name: '案内' }).click()
    // Until then the thread is still shown, with a search of its own.
    await expect(postsOf(page)).toHaveCount(0)
    await expect(page).toHaveURL(/about/)
    await page.keyboard.press('/')
    await expect(page).toHaveURL(`${board.url}/`)
    const field = page.getByRole('searchbox', { name: 'スレッドを検索' })
    await expect(field).toBeFocused()
    await field.blur()

    const panel = await openDisplay(page, false)
    await panel.getByRole('switch', { name: '1文字のキーで操作する' }).click()
    await page.keyboard.press('Escape')
    await expect(panel).toBeHidden()
    await page.keyboard.press('/')
    await page.keyboard.press('?')
    await expect(field).not.toBeFocused()
    await expect(keys).toHaveCount(0)
  })
})
