/** Read-only mode: every page shows it, typed text is kept, and writing resumes by itself. */
import { messages } from '@shinobi/contract/messages'
import { enterAsAdmin, openAdminBoard, test as base } from '../admin-board.ts'
import { startThread, type Board, type Member } from '../board.ts'
import { composerOf, enterThread, expect, postsOf, saidOnPage } from '../test.ts'

const NOTE = '23時ごろまで、引っ越しをしています。'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

const test = base.extend<{ quiet: Board; chief: Member }>({
  /** A board per test, because the mode affects everybody. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
  quiet: async ({}, provide) => {
    const board = await openAdminBoard()
    await provide(board)
    await board.close()
  },
  chief: async ({ quiet }, provide) => provide(await enterAsAdmin(quiet)),
})

test('the read-only mode starts live, shows on every page, keeps typed text and ends live', async ({
  page,
  quiet: board,
  chief,
}) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id, '書きかけの忍者')
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await composerOf(page).fill('書きかけの言葉')
  const send = page.getByRole('button', { name: '送信', exact: true })
  const strip = page.getByRole('status', { name: '書き込みの停止' })

  await chief.send('PUT', '/api/admin/settings', { readOnly: true, readOnlyText: NOTE })
  await expect(strip).toContainText(messages.read_only)
  await expect(strip).toContainText(NOTE)
  await expect(send).toBeDisabled()
  await expect(composerOf(page)).toHaveAccessibleDescription(new RegExp(messages.read_only))
  await composerOf(page).press('Enter')
  await expect(composerOf(page)).toHaveValue(/^書きかけの言葉/)

  // A page rendered by the server, and back to the draft.
  expect(await (await page.goto(`${board.url}/create`))!.text()).toContain(NOTE)
  await expect(strip).toBeVisible()
  await expect(page.getByRole('button', { name: 'スレッドを作成' })).toBeDisabled()
  expect(await page.context().cookies()).toHaveLength(1)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(composerOf(page)).toHaveValue(/^書きかけの言葉/)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()

  await chief.send('PUT', '/api/admin/settings', { readOnly: false })
  await expect(strip).toHaveCount(0)
  await send.click()
  await expect(postsOf(page)).toHaveCount(2)
  await expect(postsOf(page).last()).toContainText('書きかけの言葉')
  await expect(composerOf(page)).toHaveValue('')
})

test('a visitor in read-only mode is not asked for a name before it ends', async ({ page, quiet: board, chief }) => {
  const thread = await startThread(board)
  await chief.send('PUT', '/api/admin/settings', { readOnly: true })
  await page.goto(`${board.url}/thread/${thread._id}`)
  const dialog = page.getByRole('dialog', { name: 'ニックネームを決める' })
  await expect(page.getByText('自動更新中')).toBeVisible()
  await expect(page.getByRole('form', { name: '書き込む' }).getByText('閲覧のみ')).toBeVisible()
  await expect(dialog).toHaveCount(0)
  await chief.send('PUT', '/api/admin/settings', { readOnly: false })
  await expect(dialog.getByLabel('ニックネーム')).not.toHaveValue('')
})

test('a picture that does not fit on the disk shows an error, and text and picture are kept', async ({
  page,
  quiet: board,
}) => {
  const thread = await startThread(board)
  await enterThread(page, board, thread._id)
  const refused = { code: 'disk_full', message: messages.disk_full_pictures }
  // The disk has no room for a picture. A text has, and goes over HTTP until the socket is joined.
  await page.route('**/api/threads/*/posts', (route) =>
    route.request().headers()['content-type']?.startsWith('multipart/')
      ? route.fulfill({ status: 507, json: refused })
      : route.continue(),
  )
  await composerOf(page).fill('月の写真です')
  await page.locator('input[type=file]').setInputFiles({ name: 'moon.png', mimeType: 'image/png', buffer: PIXEL })
  await expect(page.getByAltText('添付する画像のプレビュー')).toBeVisible()
  const told = saidOnPage(page, messages.disk_full_pictures)
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await told
  await expect(composerOf(page)).toHaveValue('月の写真です')
  await expect(page.getByAltText('添付する画像のプレビュー')).toBeVisible()
  // Without the picture, as the message suggests.
  await page.getByRole('button', { name: '画像を外す' }).click()
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postsOf(page).last()).toContainText('月の写真です')
})
