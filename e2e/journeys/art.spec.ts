import { findingsOf } from '../axe.ts'
import { startThread } from '../board.ts'
import { expect, openMenu, postOf, test } from '../test.ts'

/** Wider than any screen of the tests, and drawn by shifts of a few pixels. */
const WIDE = ['　 ∧＿∧', '　（　´∀｀）', '　｜ ｜　|'].map((line) => `${line}${'　 ￣'.repeat(70)}終`).join('\n')
const NARROW = '　 ∧＿∧\n　（　´∀｀）\n　｜ ｜　|'

test('art that is wider than the screen is scaled down to fit, and back', async ({ page, board }) => {
  const thread = await startThread(board, { content: WIDE })
  await page.goto(`${board.url}/thread/${thread._id}`)
  const art = postOf(page, 1).getByRole('group', { name: 'アスキーアート' })
  /** By how many pixels the drawing is wider than its frame, and the page than the screen. */
  const excess = () =>
    art.evaluate((frame) => ({
      art: Math.max(0, Math.round(frame.firstElementChild!.getBoundingClientRect().width - frame.clientWidth)),
      page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    }))
  const shrink = postOf(page, 1).getByRole('button', { name: '縮小して全体表示' })
  const restore = postOf(page, 1).getByRole('button', { name: '元の大きさに戻す' })
  await expect(shrink).toBeVisible()
  expect((await excess()).art).toBeGreaterThan(100)
  expect((await excess()).page).toBe(0)

  await shrink.click()
  await expect(restore).toBeVisible()
  await expect.poll(excess).toEqual({ art: 0, page: 0 })
  expect(await findingsOf(page, { within: 'main' })).toEqual([])

  await restore.click()
  await expect(shrink).toBeVisible()
  await expect.poll(async () => (await excess()).art).toBeGreaterThan(100)
})

test('art that fits has no button, and text is not art', async ({ page, board }) => {
  const thread = await startThread(board, { content: NARROW })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await expect(postOf(page, 1).getByRole('group', { name: 'アスキーアート' })).toBeVisible()
  await expect(postOf(page, 1).getByRole('button', { name: '縮小して全体表示' })).toHaveCount(0)
  const plain = await startThread(board, { content: 'ただの文\n二行目\n三行目' })
  await page.goto(`${board.url}/thread/${plain._id}`)
  await expect(page.getByText('自動更新中')).toBeAttached()
  await expect(postOf(page, 1).getByRole('group', { name: 'アスキーアート' })).toHaveCount(0)
})

test('a reader sees text as art, and art wrapped, by the menu of its post', async ({ page, board }) => {
  const thread = await startThread(board, { content: `${'ただの文。'.repeat(80)}\n二行目` })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中')).toBeAttached()
  const art = postOf(page, 1).getByRole('group', { name: 'アスキーアート' })
  await expect(art).toHaveCount(0)
  await (await openMenu(page, 1)).getByRole('button', { name: /^AAとして表示/ }).click()
  await expect(art).toContainText('二行目')
  await (await openMenu(page, 1)).getByRole('button', { name: /^折り返して表示/ }).click()
  await expect(art).toHaveCount(0)
  await expect(postOf(page, 1)).toContainText('二行目')
})

test('art has the widths of the font it was drawn in, which is loaded for art alone', async ({ page, board }) => {
  const fonts: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('shinobi-art')) fonts.push(request.url())
  })
  const plain = await startThread(board, { content: 'ただの文\n二行目\n三行目' })
  await page.goto(`${board.url}/thread/${plain._id}`)
  await expect(page.getByText('自動更新中')).toBeAttached()
  expect(fonts).toEqual([])

  const thread = await startThread(board, { content: NARROW })
  await page.goto(`${board.url}/thread/${thread._id}`)
  const art = postOf(page, 1).getByRole('group', { name: 'アスキーアート' })
  await expect(art).toBeVisible()
  await expect.poll(() => fonts.length).toBe(1)
  await page.waitForFunction(() => document.fonts.check("16px 'Shinobi Art'"))
  /** The width of a text in the art's font, in pixels. */
  const widthOf = (text: string) =>
    art.evaluate((frame, drawn) => {
      const probe = document.createElement('span')
      probe.textContent = drawn
      probe.style.whiteSpace = 'pre'
      frame.firstElementChild!.append(probe)
      const { width } = probe.getBoundingClientRect()
      probe.remove()
      return Math.round(width)
    }, text)
  // Drawings shift by one pixel with spaces of two widths: 11 and 5 in MS PGothic at 16 px.
  expect(await widthOf('　'.repeat(10))).toBe(110)
  expect(await widthOf(' '.repeat(10).replaceAll(' ', '\u00A0'))).toBe(50)
  expect(await widthOf('漢'.repeat(10))).toBe(160)
})
