/** スレ主: the opener of a stormy thread, its readers, and a moderator who takes things back. */
import { messages } from '@shinobi/contract/messages'
import type { BrowserContext, Page } from '@playwright/test'
import { findingsOf } from '../axe.ts'
import { enterAsAdmin, openAdminBoard, signUpAs } from '../admin-board.ts'
import { atNoon, giveLevel, startThread, writeFrom, writePost, type Board } from '../board.ts'
import { enterThread, expect, logIn, openMenu, postOf, test as base } from '../test.ts'

const test = base.extend<object, { stormy: Board }>({
  stormy: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
    async ({}, provide) => {
      const board = await openAdminBoard({ TRUST_PROXY: 'true', ...NOON })
      await provide(board)
      await board.close()
    },
    { scope: 'worker' },
  ],
})

const STORM = '198.51.100.9'
const NOON = atNoon()

let threads = 0

/** A visitor with a level opens a thread in the browser. @returns its id */
async function openThread(page: Page, context: BrowserContext, board: Board, level: number): Promise<string> {
  const elsewhere = await startThread(board, { title: '軒先の部屋' })
  await enterThread(page, board, elsewhere._id)
  if (level > 0) await giveLevel(board, context, level)
  threads += 1
  const title = `嵐の夜の集まり その${threads}`
  await page.goto(`${board.url}/create?category=general`)
  await page.getByLabel('タイトル').fill(title)
  await page.getByLabel('内容').fill('静かに語りましょう。')
  await page.getByRole('button', { name: 'スレッドを作成' }).click()
  await page.getByRole('main').getByRole('link', { name: title }).first().click()
  await expect(page).toHaveURL(/\/thread\//)
  return /\/thread\/([0-9a-f-]{36})/.exec(page.url())![1]!
}

async function expectAccessible(page: Page): Promise<void> {
  expect(await findingsOf(page)).toEqual([])
}

const ownerButton = (page: Page) => page.getByRole('button', { name: 'スレ主の操作' })
const logOf = (page: Page) => page.locator('details', { hasText: 'スレ主の記録' })

test('スレ主 in a stormy thread: a note, a fold, a silence and the end of it, and a moderator takes them back @both', async ({
  page,
  context,
  browser,
  stormy: board,
}) => {
  // An ID can be stopped on its day.
  await page.clock.setSystemTime(Date.now() + Number(NOON.BOARD_AHEAD_MS))
  const threadId = await openThread(page, context, board, 3)
  const reading = await browser.newContext()
  const reader = await reading.newPage()
  await reader.goto(`${board.url}/thread/${threadId}`)
  await writeFrom(board, STORM, threadId, { content: '荒らしの文句' })
  await writePost(board, threadId, '脱線した話の続き')
  await expect(postOf(page, 3)).toContainText('脱線した話')

  await ownerButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'スレ主の操作' })
  await dialog.getByRole('button', { name: '追記する' }).click()
  await expect(dialog).toContainText(messages.owner_note_required)
  await dialog.getByRole('textbox', { name: /^追記/ }).fill('荒らしには >>2 のように返事をしないでください。')
  await dialog.getByRole('button', { name: '追記する' }).click()
  await expect(dialog).toBeHidden()
  for (const screen of [page, reader]) {
    await expect(screen.getByRole('complementary', { name: 'スレ主の追記' })).toContainText('返事をしないでください')
  }

  await (await openMenu(page, 3)).getByRole('button', { name: /^スレ主…/ }).click()
  const about3 = page.getByRole('dialog', { name: 'スレ主の操作：3' })
  await about3.getByRole('textbox', { name: /^理由/ }).fill('話がそれています')
  await about3.getByRole('button', { name: '折りたたむ' }).click()
  for (const screen of [page, reader]) {
    await expect(postOf(screen, 3)).toContainText(messages.post_folded_by_owner('話がそれています'))
    await expect(postOf(screen, 3).getByText('脱線した話の続き')).toBeHidden()
  }
  await postOf(reader, 3).getByText('開いて読む').click()
  await expect(postOf(reader, 3).getByText('脱線した話の続き')).toBeVisible()

  await (await openMenu(page, 2)).getByRole('button', { name: /^スレ主…/ }).click()
  const about2 = page.getByRole('dialog', { name: 'スレ主の操作：2' })
  await about2.getByRole('radio', { name: /^このIDを今日は止める/ }).check()
  await expect(about2).toContainText('ほかの人も止まることがあります')
  await expectAccessible(page)
  await about2.getByRole('textbox', { name: /^理由/ }).fill('荒らしが続いています')
  await about2.getByRole('button', { name: '今日は止める' }).click()
  await expect(about2).toBeHidden()
  await expect(writeFrom(board, STORM, threadId, { content: '荒らしの続き' })).rejects.toThrow(messages.id_silenced)

  await ownerButton(page).click()
  await dialog.getByRole('radio', { name: /^スレッドを閉じる/ }).check()
  await dialog.getByRole('textbox', { name: /^理由/ }).fill('落ち着くまで')
  await dialog.getByRole('button', { name: 'スレッドを閉じる' }).click()
  for (const screen of [page, reader]) {
    await expect(screen.getByText('スレ主がこのスレッドを閉じました。')).toBeVisible()
  }
  // Nobody but moderators opens it again.
  await expect(ownerButton(page)).toBeHidden()

  await logOf(reader).getByText('スレ主の記録').click()
  await expect(logOf(reader).getByRole('listitem')).toHaveCount(4)
  await expect(logOf(reader)).toContainText('理由：荒らしが続いています')
  await expect(logOf(reader).getByRole('button', { name: '取り消す' })).toHaveCount(0)

  await expectAccessible(reader)

  const keeper = await signUpAs(board, await enterAsAdmin(board), 'moderator')
  const watch = await browser.newContext()
  await logIn(watch, board, keeper)
  const desk = await watch.newPage()
  await desk.goto(`${board.url}/thread/${threadId}`)
  await logOf(desk).getByText('スレ主の記録').click()
  for (const what of ['閉鎖', '折りたたみ', '停止', '追記']) {
    const entry = logOf(desk).getByRole('listitem').filter({ hasText: what })
    await entry.getByRole('button', { name: '取り消す' }).click()
    await entry.getByRole('button', { name: '本当に取り消す' }).click()
    await expect(entry).toContainText('運営が取り消し')
  }
  for (const screen of [page, reader]) {
    await expect(screen.getByText('スレ主がこのスレッドを閉じました')).toBeHidden()
    await expect(postOf(screen, 3)).not.toContainText('折りたたみました')
    await expect(screen.getByRole('complementary', { name: 'スレ主の追記' })).toBeHidden()
  }
  await writeFrom(board, STORM, threadId, { content: 'もう荒らしません' })
  await expect(postOf(reader, 4)).toContainText('もう荒らしません')
  await expect(logOf(reader)).toContainText('運営が取り消し')
  for (const one of [reading, watch]) await one.close()
})

test('the opener takes a fold back, and what it did stands in the page without scripts', async ({
  page,
  context,
  browser,
  stormy: board,
}) => {
  const threadId = await openThread(page, context, board, 3)
  await writePost(board, threadId, '畳まれる話')
  await ownerButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'スレ主の操作' })
  await dialog.getByRole('textbox', { name: /^追記/ }).fill('続きは土曜です。')
  await dialog.getByRole('button', { name: '追記する' }).click()
  await (await openMenu(page, 2)).getByRole('button', { name: /^スレ主…/ }).click()
  const about2 = page.getByRole('dialog', { name: 'スレ主の操作：2' })
  await about2.getByRole('textbox', { name: /^理由/ }).fill('別のスレッドでどうぞ')
  await about2.getByRole('button', { name: '折りたたむ' }).click()
  await expect(postOf(page, 2)).toContainText('別のスレッドでどうぞ')

  const quiet = await browser.newContext({ javaScriptEnabled: false })
  const plain = await quiet.newPage()
  await plain.goto(`${board.url}/thread/${threadId}`)
  await expect(plain.getByRole('complementary', { name: 'スレ主の追記' })).toContainText('続きは土曜です。')
  await expect(postOf(plain, 2)).toContainText(messages.post_folded_by_owner('別のスレッドでどうぞ'))
  await logOf(plain).getByText('スレ主の記録').click()
  await expect(logOf(plain).getByRole('listitem')).toHaveCount(2)
  await quiet.close()

  await logOf(page).getByText('スレ主の記録').click()
  const entry = logOf(page).getByRole('listitem').filter({ hasText: '折りたたみ' })
  await entry.getByRole('button', { name: '取り消す' }).click()
  await entry.getByRole('button', { name: '本当に取り消す' }).click()
  await expect(postOf(page, 2).getByText('畳まれる話')).toBeVisible()
  await expect(entry).toContainText('取り消し')
})

test('neither an opener without the level nor a reader is offered anything', async ({
  page,
  context,
  browser,
  stormy: board,
}) => {
  const threadId = await openThread(page, context, board, 2)
  const asked = page.waitForResponse(/\/api\/scroll$/)
  await page.reload()
  await asked
  const menu = await openMenu(page, 1)
  await expect(menu.getByRole('button', { name: /^スレ主/ })).toHaveCount(0)
  await expect(ownerButton(page)).toHaveCount(0)

  const reading = await browser.newContext()
  const reader = await reading.newPage()
  const calls: string[] = []
  reader.on('request', (request) => calls.push(request.url()))
  await reader.goto(`${board.url}/thread/${threadId}`)
  await expect((await openMenu(reader, 1)).getByRole('button', { name: /^スレ主/ })).toHaveCount(0)
  // Whoever reads is not asked about.
  expect(calls.filter((url) => url.includes('/api/scroll'))).toEqual([])
  await reading.close()
})
