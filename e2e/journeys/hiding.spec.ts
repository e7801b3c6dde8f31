/** What a visitor does not want to see (NG), hidden in this browser alone. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { messages } from '@shinobi/contract/messages'
import { signUp, startThread, type Board } from '../board.ts'
import { expect, holdScripts, openMenu, postOf, repeatUntil, rowOf, test } from '../test.ts'

async function post(board: Board, threadId: string, fields: Readonly<Record<string, string>>, image?: Buffer) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ name: '名無し', ...fields })) form.set(name, value)
  if (image !== undefined) form.set('image', new Blob([new Uint8Array(image)], { type: 'image/png' }), 'p.png')
  const answer = await fetch(`${board.url}/api/threads/${threadId}/posts`, { method: 'POST', body: form })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Adds a rule on the page of rules. */
async function hide(page: Page, board: Board, kind: string, text: string, ...traits: string[]): Promise<void> {
  await page.goto(`${board.url}/ng`)
  await page.getByRole('radio', { name: kind, exact: true }).check()
  await page.getByRole('textbox', { name: kind }).fill(text)
  for (const trait of traits) await page.getByRole('checkbox', { name: trait }).check()
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: `${kind}「` })
      .first(),
  ).toBeVisible()
}

test('words, patterns, names and domains hide posts, and the line says why', async ({ page, board }) => {
  const thread = await startThread(board, { content: '始まり' })
  await post(board, thread._id, { content: 'ｼｭﾘｹﾝを売ります' })
  await post(board, thread._id, { content: 'wwwwww' })
  await post(board, thread._id, { content: '影から', name: '影丸' })
  await post(board, thread._id, { content: 'https://shop.example.com/a はこちら' })
  await post(board, thread._id, { content: '穏やかな話' })
  await hide(page, board, '言葉', 'しゅりけん')
  await hide(page, board, '正規表現', '^w{3,}$')
  await hide(page, board, '名前', '影丸')
  await hide(page, board, 'リンク先', 'https://example.com/')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toHaveText(/あぼーん.*NG：言葉「しゅりけん」/)
  await expect(postOf(page, 3)).toHaveText(/あぼーん.*NG：正規表現「\^w\{3,\}\$」/)
  await expect(postOf(page, 4)).toHaveText(/あぼーん.*NG：名前「影丸」/)
  await expect(postOf(page, 5)).toHaveText(/あぼーん.*NG：リンク先「example\.com」/)
  await expect(postOf(page, 6)).toContainText('穏やかな話')
  await postOf(page, 2).getByRole('button', { name: '表示' }).click()
  await expect(postOf(page, 2)).toContainText('ｼｭﾘｹﾝを売ります')
  await page.goto(`${board.url}/ng`)
  await page.getByRole('button', { name: /外す.*影丸/ }).click()
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 3)).toContainText('あぼーん')
  await expect(postOf(page, 4)).toContainText('影から')
})

test('a rule submitted before the script runs is added when it runs, with everything that was chosen', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { content: '始まり' })
  await post(board, thread._id, { content: '影から', name: '影丸' })
  await post(board, thread._id, { content: '>>2 なるほど' })
  const runScripts = await holdScripts(page)
  await page.goto(`${board.url}/ng`, { waitUntil: 'commit' })
  await page.getByRole('radio', { name: '名前', exact: true }).check()
  await page.locator('input[name=hiding-text]').fill('影丸')
  await page.getByRole('checkbox', { name: '返信も隠す（連鎖）' }).check()
  await page.getByRole('combobox', { name: '期限' }).selectOption('7日')
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  runScripts()
  const rule = page.getByRole('listitem').filter({ hasText: '名前「影丸」' })
  await expect(rule).toContainText('返信も隠す')
  await expect(rule).toContainText('まで')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toHaveText(/あぼーん.*NG：名前「影丸」/)
  await expect(postOf(page, 3)).toContainText('あぼーん')
})

test('from the menu of a post its picture is hidden wherever it is posted again, in this thread only @both', async ({
  page,
  board,
}) => {
  const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#b3261e' } })
    .png()
    .toBuffer()
  const [thread, other] = [await startThread(board), await startThread(board)]
  await post(board, thread._id, { content: '一度目' }, picture)
  await post(board, thread._id, { content: '二度目' }, picture)
  await post(board, other._id, { content: '別の所' }, picture)
  await page.goto(`${board.url}/thread/${thread._id}`)
  await (await openMenu(page, 2)).getByRole('button', { name: /^NG…/ }).click()
  const dialog = page.getByRole('dialog', { name: '2の書き込みをNGに入れる' })
  await dialog.getByRole('radio', { name: 'この画像' }).check()
  await dialog.getByRole('checkbox', { name: 'このスレッドだけ' }).check()
  await dialog.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(postOf(page, 2)).toHaveText(/あぼーん.*NG：画像/)
  await expect(postOf(page, 3)).toHaveText(/あぼーん.*NG：画像/)
  await page.goto(`${board.url}/thread/${other._id}`)
  await expect(postOf(page, 2)).toContainText('別の所')
})

test('what is hidden stays hidden in slips, in extractions, among pictures and in what a search finds @both', async ({
  page,
  board,
  isMobile,
}) => {
  const picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#1b4d8c' } })
    .png()
    .toBuffer()
  const thread = await startThread(board, { content: '始まり' })
  await post(board, thread._id, { content: '>>1 まきびし大安売り' }, picture)
  for (const text of ['>>2 一', '>>2 二', '>>2 三']) await post(board, thread._id, { content: text })
  const words = encodeURIComponent('まきびし大安売り')
  await expect
    .poll(async () => (await fetch(`${board.url}/api/threads/${thread._id}/posts/search?search=${words}`)).json())
    .toMatchObject({ hits: 1 })
  await hide(page, board, '言葉', '大安売り')
  const reason = /あぼーん.*NG：言葉「大安売り」/

  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toHaveText(reason)
  const anchor = postOf(page, 3).getByRole('link', { name: '>>2', exact: true }).first()
  if (isMobile) await anchor.tap()
  else await anchor.hover()
  const slip = page.getByRole('group', { name: '参照先の書き込み' })
  await expect(slip).toHaveText(reason)
  await slip.getByRole('button', { name: '表示' }).click()
  await expect(slip).toContainText('まきびし大安売り')
  await page.keyboard.press('Escape')
  await expect(slip).toBeHidden()
  await expect(postOf(page, 2)).toHaveText(reason)

  await postOf(page, 1)
    .getByRole('button', { name: /^返信 1/ })
    .click()
  const answers = page.getByRole('dialog', { name: '1への返信' })
  await expect(answers.getByRole('article').first()).toHaveText(reason)
  await page.keyboard.press('Escape')
  await expect(answers).toBeHidden()

  await page.getByRole('button', { name: '抽出・移動' }).click()
  const tools = page.getByRole('dialog', { name: 'このスレッド' })
  await tools.getByRole('button', { name: '人気レス' }).click()
  await expect(tools.getByRole('list', { name: '抽出した書き込み' }).getByRole('article')).toHaveText(reason)
  await tools.getByRole('button', { name: '画像一覧' }).click()
  await expect(tools.getByRole('status')).toHaveText('画像はありません。')
  await page.keyboard.press('Escape')
  await expect(tools).toBeHidden()

  await page.getByRole('button', { name: 'スレ内を検索' }).click()
  const find = page.getByRole('region', { name: 'スレ内を検索' })
  await find.getByRole('searchbox').fill('まきびし')
  await find.getByRole('searchbox').press('Enter')
  await expect(find.getByRole('listitem')).toHaveText(reason)

  await page.goto(`${board.url}/?search=${words}`)
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: reason })).toBeVisible()
})

test('answers to a hidden post are hidden with it, live too, and nothing is left where no line is wanted', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { content: '始まり' })
  await post(board, thread._id, { content: '禁句の話' })
  await post(board, thread._id, { content: '>>2 乗るな' })
  await hide(page, board, '言葉', '禁句', '返信も隠す（連鎖）', '「あぼーん」の行も残さない')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toBeHidden()
  await expect(postOf(page, 3)).toBeHidden()
  await expect(page.getByText('自動更新中')).toBeVisible()
  await post(board, thread._id, { content: '>>3 まだ言う' })
  await post(board, thread._id, { content: '別の話' })
  await expect(postOf(page, 5)).toContainText('別の話')
  await expect(postOf(page, 4)).toBeHidden()
})

test('posts at the end that leave no trace are read, and the line of what was read is drawn above them', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { title: '影の残り香', content: '始まり', category: 'rant' })
  await post(board, thread._id, { content: '禁句の話' })
  await hide(page, board, '言葉', '禁句', '「あぼーん」の行も残さない')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toBeHidden()
  await expect(page.getByText('自動更新中')).toBeVisible()
  await post(board, thread._id, { content: '禁句をまた' })
  await expect(postOf(page, 3)).toBeAttached()
  await page.goto(`${board.url}/categories/rant`)
  const row = page.getByRole('listitem').filter({ has: rowOf(page, '影の残り香') })
  await expect(row.locator('[data-unread]')).toHaveText('既読')
  await post(board, thread._id, { content: '別の話' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 3)).toBeHidden()
  await expect(postOf(page, 4)).toBeVisible()
  await expect(page.getByText('ここまで読んだ', { exact: true })).toBeInViewport()
})

test('the focus goes from a hidden post to its line and back, and without a line to the next post', async ({
  page,
  board,
}) => {
  const thread = await startThread(board, { content: '始まり' })
  // A member is a person; all others of this network are one.
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/posts`, { content: '影から' })
  await post(board, thread._id, { content: '禁句の話' })
  await post(board, thread._id, { content: '穏やかな話' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await (await openMenu(page, 2)).getByRole('button', { name: /^この人をNG/ }).press('Enter')
  const show = postOf(page, 2).getByRole('button', { name: '表示' })
  await expect(show).toBeFocused()
  await show.press('Enter')
  await expect(postOf(page, 2)).toBeFocused()

  await (await openMenu(page, 3)).getByRole('button', { name: /^NG…/ }).press('Enter')
  const dialog = page.getByRole('dialog', { name: '3の書き込みをNGに入れる' })
  await dialog.getByRole('radio', { name: '言葉' }).check()
  await dialog.getByRole('textbox', { name: '言葉' }).fill('禁句')
  await dialog.getByRole('checkbox', { name: '「あぼーん」の行も残さない' }).check()
  await dialog.getByRole('button', { name: '隠す', exact: true }).press('Enter')
  await expect(postOf(page, 3)).toBeHidden()
  await expect(postOf(page, 4)).toBeFocused()
})

test('the focus goes from a rule that is removed to the next one, and from the last to the page', async ({
  page,
  board,
}) => {
  await hide(page, board, '言葉', '一の禁句')
  await hide(page, board, '言葉', '二の禁句')
  const remove = (text: string) => page.getByRole('button', { name: new RegExp(`^外す.*${text}`) })
  await remove('二の禁句').press('Enter')
  await expect(remove('二の禁句')).toHaveCount(0)
  await expect(remove('一の禁句')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove('一の禁句')).toHaveCount(0)
  await expect(page.getByRole('main')).toBeFocused()
})

test('threads are hidden by their title, and a rule ends at its date', async ({ page, board }) => {
  await startThread(board, { title: '忍犬の育て方', category: 'rant' })
  await startThread(board, { title: '忍猫の育て方', category: 'rant' })
  await hide(page, board, 'スレッドのタイトル', '忍犬')
  await page.goto(`${board.url}/categories/rant`)
  await expect(rowOf(page, '忍猫の育て方')).toBeVisible()
  await expect(rowOf(page, '忍犬の育て方')).toBeHidden()
  await page.evaluate(() => {
    const [rule] = JSON.parse(localStorage['hiding'] ?? '[]') as { endsAt: number | null }[]
    localStorage['hiding'] = JSON.stringify([{ ...rule, endsAt: Date.now() - 1 }])
  })
  await page.reload()
  await expect(rowOf(page, '忍犬の育て方')).toBeVisible()
  await page.goto(`${board.url}/ng`)
  await expect(page.getByText('期限切れ')).toBeVisible()
})

test('a rule that ends while a page is open hides nothing there from then on', async ({ page, board }) => {
  const thread = await startThread(board, { title: '忍鳥の育て方', content: '始まり', category: 'rant' })
  await startThread(board, { title: '忍鹿の育て方', category: 'rant' })
  await post(board, thread._id, { content: '禁句の話' })
  await page.clock.install()
  await hide(page, board, '言葉', '禁句')
  await hide(page, board, 'スレッドのタイトル', '忍鳥')
  /** Opens a page while both rules have half a minute left. */
  const open = async (path: string) => {
    await page.evaluate(() => {
      const rules = JSON.parse(localStorage['hiding'] ?? '[]') as object[]
      localStorage['hiding'] = JSON.stringify(rules.map((rule) => ({ ...rule, endsAt: Date.now() + 30_000 })))
    })
    await page.goto(board.url + path)
  }
  await open(`/thread/${thread._id}`)
  await expect(postOf(page, 2)).toContainText('あぼーん')
  await page.clock.fastForward(90_000)
  await expect(postOf(page, 2)).toContainText('禁句の話')
  await open('/categories/rant')
  await expect(rowOf(page, '忍鹿の育て方')).toBeVisible()
  await expect(rowOf(page, '忍鳥の育て方')).toBeHidden()
  await page.clock.fastForward(90_000)
  await expect(rowOf(page, '忍鳥の育て方')).toBeVisible()
  await open('/ng')
  await expect(page.getByRole('listitem').filter({ hasText: 'まで' })).toHaveCount(2)
  await page.clock.fastForward(90_000)
  await expect(page.getByText('期限切れ')).toHaveCount(2)
})

test('a thread hidden by its title is not in 急上昇, nor in 過去ログ, nor counted among the new ones', async ({
  page,
  ownBoard: board,
}) => {
  const open = (title: string) => startThread(board, { title, category: 'rant' })
  const [dog, cat] = [await open('忍犬の芸'), await open('忍猫の芸')]
  for (const { _id } of [dog, cat]) await post(board, _id, { content: '賑わい' })
  const linksTo = (threadId: string) => page.locator(`main a[href="/thread/${threadId}"]`)
  await repeatUntil(
    () => page.goto(`${board.url}/categories/rant`),
    async (patience) => {
      for (const { _id } of [dog, cat]) await expect(linksTo(_id)).toHaveCount(3, patience)
    },
  )

  await hide(page, board, 'スレッドのタイトル', '忍犬')
  await page.clock.install()
  await page.goto(`${board.url}/categories/rant`)
  await expect(linksTo(dog._id)).toHaveCount(0)
  await expect(linksTo(cat._id)).toHaveCount(3)
  await open('忍犬の新顔')
  const shown = await open('忍猫の新顔')
  const pill = page.getByRole('button', { name: /^新着スレッド/ })
  await repeatUntil(
    () => page.clock.runFor(25_000),
    (patience) => expect(pill).toBeVisible(patience),
  )
  await expect(pill).toHaveText('新着スレッド 1件')
  await pill.click()
  await expect(rowOf(page, shown.title)).toBeFocused()
  await expect(rowOf(page, '忍犬の新顔')).toHaveCount(0)

  const threads = (await (await fetch(`${board.url}/api/categories/rant/threads`)).json()) as object[]
  const closedAt = new Date().toISOString()
  await page.route('**/api/categories/rant/threads?*state=past*', (route) =>
    route.fulfill({ json: threads.map((thread) => ({ ...thread, closedAt })) }),
  )
  await page.getByRole('link', { name: '過去ログ', exact: true }).click()
  await expect(rowOf(page, cat.title)).toBeVisible()
  await expect(rowOf(page, dog.title)).toHaveCount(0)
})

test('a pattern that is none, and an empty text, are refused with what is typed', async ({ page, board }) => {
  await page.goto(`${board.url}/ng`)
  for (const text of ['', '　']) {
    await page.getByRole('textbox', { name: '言葉' }).fill(text)
    await page.getByRole('button', { name: '隠す', exact: true }).click()
    await expect(page.getByText(messages.hiding_text_missing)).toBeVisible()
    await expect(page.getByRole('textbox', { name: '言葉' })).toBeFocused()
  }
  await page.getByRole('radio', { name: '正規表現' }).check()
  await page.getByRole('textbox', { name: '正規表現' }).fill('((')
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(page.getByText(messages.hiding_pattern_invalid)).toBeVisible()
  await expect(page.getByRole('textbox', { name: '正規表現' })).toHaveValue('((')
})
