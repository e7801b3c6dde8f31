/** Viewing the pictures of a thread. */
import sharp from 'sharp'
import { startThread, type Board } from '../board.ts'
import { expect, postOf, saidOnConsole, test, untilScripted } from '../test.ts'

const picture = (background: string) =>
  sharp({ create: { width: 2400, height: 1600, channels: 3, background } })
    .png()
    .toBuffer()

async function postPicture(board: Board, threadId: string, name: string, colour: string): Promise<void> {
  const form = new FormData()
  form.set('content', `${name}の写真`)
  form.set('name', name)
  form.set('image', new Blob([await picture(colour)], { type: 'image/png' }), 'p.png')
  const answer = await fetch(`${board.url}/api/threads/${threadId}/posts`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

test('pictures open in a viewer, lead to the next one, are enlarged and made small again, and close to where the reader was', async ({
  page,
  board,
  isMobile,
}) => {
  const thread = await startThread(board)
  await postPicture(board, thread._id, '赤', '#b3261e')
  await postPicture(board, thread._id, '緑', '#0f766e')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await untilScripted(page)
  const link = postOf(page, 2).getByRole('link', { name: '2の画像を開く' })
  await link.click()
  const viewer = page.getByRole('dialog', { name: '画像' })
  await expect(viewer).toContainText('2 赤')
  await expect(viewer.getByText('1 / 2')).toBeVisible()
  await expect(viewer.getByRole('link', { name: '原寸' })).toHaveAttribute('href', /^\/images\//)
  if (isMobile) {
    const session = await page.context().newCDPSession(page)
    const at = (x: number) => ({ touchPoints: [{ x, y: 420 }] })
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', ...at(340) })
    for (let x = 320; x >= 40; x -= 40) await session.send('Input.dispatchTouchEvent', { type: 'touchMove', ...at(x) })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  } else {
    await page.keyboard.press('ArrowRight')
  }
  await expect(viewer).toContainText('3 緑')
  const shown = viewer.getByRole('img', { name: '3の画像' })
  const zoom = viewer.getByRole('button', { name: '拡大・縮小' })
  const widthOf = async () => Math.round((await shown.boundingBox())!.width)
  const whole = await widthOf()
  expect(whole).toBeLessThanOrEqual(page.viewportSize()!.width)
  await zoom.click()
  await expect.poll(widthOf).toBeGreaterThan(1.2 * whole)
  await zoom.click()
  await expect.poll(widthOf).toBe(whole)
  await expect(viewer).toContainText('3 緑')
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
  await expect(link).toBeFocused()
  await expect(page).toHaveURL(new RegExp(`${thread._id}$`))
})

test('a viewer that is closed while it still opens is gone, and opens again', async ({ page, board }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const thread = await startThread(board)
  await postPicture(board, thread._id, '赤', '#b3261e')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await untilScripted(page)
  // As Chromium does at Esc, and at the Esc after it.
  await page.evaluate(() =>
    new MutationObserver((_, observer) => {
      const viewer = document.querySelector('dialog[aria-label="画像"]')
      if (!(viewer instanceof HTMLDialogElement && viewer.open)) return
      observer.disconnect()
      viewer.dispatchEvent(new Event('cancel', { cancelable: true }))
      viewer.close()
      console.info('closed')
    }).observe(document.body, { childList: true }),
  )
  const closed = saidOnConsole(page, 'closed')
  const link = postOf(page, 2).getByRole('link', { name: '2の画像を開く' })
  await link.click()
  await closed
  await expect(page.locator('dialog[aria-label="画像"]')).toHaveCount(0)
  await link.click()
  const viewer = page.getByRole('dialog', { name: '画像' })
  await expect(viewer).toContainText('2 赤')
  await page.keyboard.press('Escape')
  await expect(viewer).toHaveCount(0)
})

test('a picture opens by itself where the viewer fails to load', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await postPicture(board, thread._id, '赤', '#b3261e')
  await page.route(/image-viewer/, (route) => route.abort())
  await page.goto(`${board.url}/thread/${thread._id}`)
  const opened = context.waitForEvent('page')
  await postOf(page, 2).getByRole('link', { name: '2の画像を開く' }).click()
  expect((await opened).url()).toContain('/images/')
})
