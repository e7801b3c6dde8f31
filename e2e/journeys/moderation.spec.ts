/** The work of moderators, and what everybody else sees of it. */
import { messages } from '@shinobi/contract/messages'
import type { HeldItem, ModerationCase, PublicLogEntry } from '@shinobi/contract/moderation'
import type { Post } from '@shinobi/contract/posts'
import { RULES } from '@shinobi/contract/rules'
import type { Category } from '@shinobi/contract/categories'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { findingsOf } from '../axe.ts'
import { test } from '../admin-board.ts'
import { readPosts, signUp, startThread, writePost, type Board, type Member } from '../board.ts'
import {
  composerOf,
  enterThread,
  expect,
  hold,
  logIn,
  openMenu,
  postOf,
  postsOf,
  repeatUntil,
  rowOf,
  say,
  untilScripted,
} from '../test.ts'

const report = (board: Board, { threadId, _id, content }: Post, reason: string): Promise<Response> =>
  fetch(`${board.url}/api/threads/${threadId}/posts/${_id}/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reason, content }),
  })

const openCases = async (admin: Member, threadId: string): Promise<ModerationCase[]> => {
  const { cases } = await admin.send<{ cases: ModerationCase[] }>('GET', '/api/admin/cases?sort=oldest&limit=50')
  return cases.filter(({ thread }) => thread._id === threadId)
}

const frontOf = (page: Page) => page.getByRole('main').getByRole('article').first()
const newsOf = (page: Page, words: string | RegExp) => page.getByRole('status').filter({ hasText: words })

test('twenty reports are decided by the keyboard alone, and one decision is undone', async ({
  page,
  context,
  run: board,
  admin,
  isMobile,
}) => {
  test.skip(isMobile, 'a phone has no keys')
  const thread = await startThread(board, { title: '鍵盤だけで片付ける' })
  for (let index = 1; index <= 20; index += 1) {
    await report(board, await writePost(board, thread._id, `見回りの${index}`), '荒らしの書き込みです')
  }
  await logIn(context, board, admin)
  await page.goto(`${board.url}/admin/reports?sort=oldest`)
  await expect(frontOf(page)).toContainText('見回りの1')
  await expect(page.getByRole('button', { name: '未対応 20' })).toBeVisible()

  // In the note, the keys type letters.
  await page.keyboard.press('n')
  await page.keyboard.type('dr 前にも')
  await page.keyboard.press('Enter')
  await expect(newsOf(page, 'メモを残しました')).toBeVisible()
  await expect(page.getByRole('button', { name: '未対応 20' })).toBeVisible()

  expect(await findingsOf(page)).toEqual([])

  // Moving to the next case and back decides nothing.
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('k')
  for (let index = 1; index <= 20; index += 1) {
    await expect(frontOf(page)).toContainText(`見回りの${index}`)
    if (index % 2 === 0) await page.keyboard.press('d')
    else {
      await page.keyboard.press('r')
      await page.keyboard.press(index === 1 ? '2' : 'Enter')
    }
  }
  await expect(page.getByText('対応を待つ通報はありません。')).toBeVisible()
  await expect.poll(() => openCases(admin, thread._id)).toEqual([])
  const posts = await readPosts(board, thread._id)
  expect(posts.filter(({ deleted }) => deleted).map(({ number }) => number)).toEqual(
    Array.from({ length: 10 }, (_, index) => index * 2 + 2),
  )
  // Enter applied the rule chosen before.
  expect(new Set(posts.filter(({ deleted }) => deleted).map(({ rule }) => rule))).toEqual(new Set(['hurt']))

  await page.keyboard.press('u')
  await expect(newsOf(page, '取り消しました')).toBeVisible()
  await page.keyboard.press('u')
  // The text of either stands beside the other as well.
  await expect(page.getByText('1 / 2')).toBeVisible()
  await expect
    .poll(async () => (await readPosts(board, thread._id)).find(({ number }) => number === 20)?.deleted)
    .toBe(false)
  await expect.poll(async () => (await openCases(admin, thread._id)).length).toBe(2)
  // Empty the list for the next journeys of this worker.
  await page.keyboard.press('d')
  await page.keyboard.press('d')
  await expect.poll(async () => (await openCases(admin, thread._id)).length).toBe(0)
})

test('new reports and the decisions of others are announced without a layout shift @both', async ({
  page,
  context,
  run: board,
  admin,
}) => {
  const thread = await startThread(board, { title: '二人で見回る' })
  await report(board, await writePost(board, thread._id, '最初の問題'), '荒らし')
  await logIn(context, board, admin)
  await page.goto(`${board.url}/admin/reports`)
  await expect(frontOf(page)).toContainText('最初の問題')
  await report(board, await writePost(board, thread._id, '次の問題'), '荒らし')
  await expect(page.getByText('1 / 2')).toBeVisible()
  await expect(frontOf(page)).toContainText('最初の問題')

  const [first] = await openCases(admin, thread._id)
  await admin.send('POST', `/api/admin/cases/${thread._id}/${first!.post._id}/decision`, { action: 'dismiss' })
  await expect(page.getByText('この通報には、ほかの人が対応しました。')).toBeVisible()
  await expect(frontOf(page)).toContainText('最初の問題')
  await page.getByRole('button', { name: '次の通報' }).click()
  await expect(frontOf(page)).toContainText('次の問題')
  await expect(page.getByText('1 / 1')).toBeVisible()

  // A note that did not reach the server is sent by the next Enter.
  const note = page.getByLabel('メモ')
  await page.route(/\/note$/, (route) => route.abort())
  await note.fill('確認中')
  await note.press('Enter')
  await expect(newsOf(page, messages.network)).toBeVisible()
  await page.unroute(/\/note$/)
  // A saved one gives way to a later one of another moderator.
  await note.press('Enter')
  await expect(newsOf(page, 'メモを残しました')).toBeVisible()
  const [second] = await openCases(admin, thread._id)
  await admin.send('PUT', `/api/admin/cases/${thread._id}/${second!.post._id}/note`, { note: '本人に連絡済み' })
  await expect(note).toHaveValue('本人に連絡済み')

  // A ban that fails to reach the server leaves its form as it is.
  await page.route(/\/decision$/, (route) => route.abort())
  await page.getByRole('button', { name: /^制限/ }).click()
  const form = page.getByRole('dialog', { name: '書き込みを制限' })
  // What is missing is said at its field.
  await form.getByRole('button', { name: '制限する' }).click()
  await expect(form.getByLabel('理由')).toBeFocused()
  await expect(form.getByLabel('理由')).toHaveAccessibleDescription(new RegExp(messages.reason_required))
  await form.getByLabel('理由').fill('荒らしをやめないため')
  await form.getByRole('button', { name: '制限する' }).click()
  await expect(form).toContainText(messages.network)
  await expect(form.getByLabel('理由')).toHaveValue('荒らしをやめないため')
  await form.getByRole('button', { name: 'キャンセル' }).click()
  // A decision returns with the reason.
  await page.getByRole('button', { name: /^却下/ }).click()
  await expect(frontOf(page)).toContainText(messages.network)
  await page.unroute(/\/decision$/)
  await page.getByRole('button', { name: /^却下/ }).click()
  await expect(page.getByText('対応を待つ通報はありません。')).toBeVisible()
  await expect.poll(async () => (await openCases(admin, thread._id)).length).toBe(0)
})

test('of the decided reports only that shows an undo under way which is undone, and a rest that fails to load says why', async ({
  page,
  context,
  run: board,
  admin,
}) => {
  const title = '間違えて却下した'
  const thread = await startThread(board, { title })
  const dismiss = (postId: string) =>
    admin.send('POST', `/api/admin/cases/${thread._id}/${postId}/decision`, { action: 'dismiss' })
  for (const text of ['一つ目の問題', '二つ目の問題']) {
    const post = await writePost(board, thread._id, text)
    await report(board, post, '荒らし')
    await dismiss(post._id)
  }
  await logIn(context, board, admin)
  await page.route('**/api/admin/cases?status=closed*', async (route) => {
    if (route.request().url().includes('cursor')) return route.abort()
    const answer = await route.fetch()
    return route.fulfill({ response: answer, json: { ...(await answer.json()), next: 'further' } })
  })
  await page.goto(`${board.url}/admin/reports?show=closed`)
  const undo = (number: number) => page.getByRole('button', { name: `（${title} の ${number}）` })
  const letGo = await hold(page, '**/api/admin/actions/*/undo')
  await undo(2).click()
  await expect(undo(2)).toHaveAttribute('aria-busy', 'true')
  await expect(undo(3)).toBeDisabled()
  letGo()
  await expect(undo(2)).toHaveCount(0)
  await expect(undo(3)).toBeEnabled()
  await page.getByRole('button', { name: '続きを見る' }).click()
  await expect(page.getByText(messages.network)).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  // Empty the list for the next journeys of this worker.
  const [reopened] = await openCases(admin, thread._id)
  await dismiss(reopened!.post._id)
})

test('a removed post disappears from open pages, lists, search and its image’s address, and is restored completely', async ({
  page,
  context,
  request,
  run: board,
  admin,
}) => {
  const words = `消える言葉${Date.now()}`
  const thread = await startThread(board, { title: '消えて戻る' })
  const image = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#336655' } })
    .png()
    .toBuffer()
  const created = await request.post(`${board.url}/api/threads/${thread._id}/posts`, {
    headers: { origin: board.url },
    multipart: { content: words, name: '消える人', image: { name: 'a.png', mimeType: 'image/png', buffer: image } },
  })
  const post = (await created.json()) as Post
  await writePost(board, thread._id, '>>2 本当ですか')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(postOf(page, 2)).toContainText(words)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect(postOf(page, 2).getByRole('img')).toBeVisible()
  const search = await context.newPage()
  const find = async () => {
    await search.goto(`${board.url}/?search=${encodeURIComponent(words)}`)
    return rowOf(search, '消えて戻る').count()
  }
  await expect.poll(find).toBe(1)

  const { actionId } = await admin.send<{ actionId: string }>('DELETE', `/api/admin/posts/${post._id}?rule=hurt`)
  await expect(postOf(page, 2)).toContainText(messages.post_deleted)
  await expect(postOf(page, 2)).toContainText(RULES.hurt)
  await expect(postOf(page, 2).getByRole('img')).toHaveCount(0)
  await expect.poll(() => page.content()).not.toContain(words)
  await expect.poll(find).toBe(0)
  // Files are moved right after the change.
  const statusOfImage = async () => (await request.get(board.url + post.imageUrl)).status()
  await expect.poll(statusOfImage).toBe(404)
  await expect.poll(async () => (await request.get(`${board.url}/thread/${thread._id}`)).text()).not.toContain(words)

  await admin.send('POST', `/api/admin/actions/${actionId}/undo`)
  await expect(postOf(page, 2)).toContainText(words)
  await expect.poll(statusOfImage).toBe(200)
  await expect.poll(find).toBe(1)
  await expect(postOf(page, 2).getByRole('img')).toBeVisible()
})

test('a removed thread turns into the 404 screen where it is open, and leaves the lists', async ({
  page,
  context,
  run: board,
  admin,
}) => {
  const title = `消されるスレッド${Date.now()}`
  const thread = await startThread(board, { title })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await admin.send('DELETE', `/api/admin/threads/${thread._id}?rule=disturb`)
  await expect(page.getByText('このスレッドは、見つからないか、削除されました。')).toBeVisible()
  const list = await context.newPage()
  await list.goto(`${board.url}/categories/general`)
  await expect(rowOf(list, title)).toHaveCount(0)
  await admin.send('POST', `/api/admin/threads/${thread._id}/restore`)
  await repeatUntil(
    () => list.goto(`${board.url}/categories/general`),
    (patience) => expect(rowOf(list, title)).toHaveCount(1, patience),
  )
})

test('a locked thread shows so to writers, and keeps their drafts @both', async ({ page, run: board, admin }) => {
  const thread = await startThread(board, { title: '施錠される話' })
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await composerOf(page).fill('書きかけの言葉')
  await admin.send('PUT', `/api/admin/threads/${thread._id}`, { locked: true })
  await expect(page.getByText('このスレッドはロック（書き込み停止）されています')).toBeVisible()
  await expect(composerOf(page)).toBeHidden()
  const menu = await openMenu(page, 1)
  await expect(menu.getByRole('button', { name: /通報/ })).toBeVisible()
  await expect(menu.getByRole('button', { name: /返信/ })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await admin.send('PUT', `/api/admin/threads/${thread._id}`, { locked: false })
  await expect(composerOf(page)).toHaveValue('書きかけの言葉')
})

test('a post reported by enough people is folded, and opens on request @both', async ({ page, run: board, admin }) => {
  const thread = await startThread(board, { title: '折りたたまれる話' })
  const post = await writePost(board, thread._id, '多くの人が嫌がる書き込み')
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  // Reports of new accounts from one address would count as one.
  await admin.send('PUT', '/api/admin/settings', { foldReporters: 2, newcomerHours: 0 })
  for (const member of [await signUp(board), await signUp(board)]) {
    await expect(page.getByText(messages.post_folded)).toHaveCount(0)
    const path = `/api/threads/${thread._id}/posts/${post._id}/report`
    await member.send('POST', path, { reason: '不快な書き込みです', content: post.content })
  }
  await expect(page.getByText(messages.post_folded)).toBeVisible()
  await expect(page.getByText('多くの人が嫌がる書き込み')).toBeHidden()
  await postOf(page, 2).getByText('開いて読む').click()
  await expect(page.getByText('多くの人が嫌がる書き込み')).toBeVisible()
  await admin.send('POST', `/api/admin/cases/${thread._id}/${post._id}/decision`, { action: 'dismiss' })
  await expect(page.getByText(messages.post_folded)).toHaveCount(0)
  await expect(postOf(page, 2)).toContainText('多くの人が嫌がる書き込み')
})

test('with the hold step a newcomer’s post waits, is visible to its writer alone, and appears when it is approved @both', async ({
  page,
  context,
  run: board,
  admin,
}) => {
  const thread = await startThread(board, { title: '結界の中の話', category: 'rant' })
  const categories = await admin.send<Category[]>('GET', '/api/categories')
  const rant = categories.find(({ name }) => name === 'rant')!
  await enterThread(page, board, thread._id)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await admin.send('PUT', `/api/admin/shields/${rant._id}`, { step: 3, minutes: 10 })
  await expect(page.getByRole('complementary', { name: '結界' })).toBeVisible()

  // The browser solves the proof of work by itself, without a second press.
  await say(page, '確認を待つ一言')
  const waiting = page.getByRole('region', { name: '確認を待っている自分の書き込み' })
  await expect(waiting.getByRole('link', { name: '忍法帖' })).toHaveAttribute('href', '/scroll')
  await expect(waiting).toContainText('確認を待つ一言')
  await expect(waiting).toContainText('確認待ち')
  await expect(composerOf(page)).toHaveValue('')
  expect(await readPosts(board, thread._id)).toHaveLength(1)
  await page.reload()
  await expect(waiting).toContainText('確認を待つ一言')
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()

  const desk = await context.browser()!.newContext()
  await logIn(desk, board, admin)
  const moderator = await desk.newPage()
  await moderator.goto(`${board.url}/admin/held`)
  await expect(moderator.getByText('確認を待つ一言')).toBeVisible()
  expect(await findingsOf(moderator)).toEqual([])
  const topOf = async (name: string) => (await moderator.getByRole('button', { name }).boundingBox())!.y
  expect(await topOf('次の書き込み')).toBe(await topOf('前の書き込み'))
  await moderator.getByRole('button', { name: /^公開/ }).click()
  await expect(postOf(page, 2)).toContainText('確認を待つ一言')
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  await expect(waiting).toHaveCount(0)
  await expect(postsOf(page)).toHaveCount(2)

  const other = await context.browser()!.newPage()
  await enterThread(other, board, thread._id)
  await say(other, '取り下げる一言')
  await other.getByRole('button', { name: '取り下げる' }).click()
  await expect(composerOf(other)).toHaveValue('取り下げる一言')
  await composerOf(other).fill('')
  // Who leaves before the answer finds the text on the way back.
  await say(other, '置いて行く一言')
  const answer = await hold(other, '**/api/held/*')
  await other.getByRole('button', { name: '取り下げる' }).click()
  await other.getByRole('banner').getByRole('link', { name: '忍板' }).click()
  await expect(composerOf(other)).toHaveCount(0)
  answer()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('held'))).toBeNull()
  await other.goBack()
  await expect(composerOf(other)).toHaveValue('置いて行く一言')
  await composerOf(other).fill('')
  await say(other, '却下される一言')
  await expect(other.getByText('確認待ち', { exact: true })).toBeVisible()
  const { held } = await admin.send<{ held: HeldItem[] }>('GET', '/api/admin/held')
  for (const { _id } of held)
    await admin.send('POST', `/api/admin/held/${_id}/decision`, { action: 'reject', rule: 'disturb' })
  await other.reload()
  await expect(other.getByText('却下', { exact: true })).toBeVisible()
  await other.getByRole('button', { name: '書き直す' }).click()
  await expect(other.getByText('却下', { exact: true })).toHaveCount(0)
  await expect(composerOf(other)).toHaveValue('却下される一言')

  await other.goto(`${board.url}/create?category=rant`)
  await other.getByLabel('タイトル').fill('取り下げる話')
  await other.getByLabel('内容').fill('長い話の始まり')
  await other.getByRole('button', { name: 'スレッドを作成' }).click()
  const waitingThread = other.getByRole('region', { name: '確認を待っている自分のスレッド' })
  await waitingThread.getByText('本文を読む').click()
  await expect(waitingThread.getByText('長い話の始まり')).toBeVisible()
  await waitingThread.getByRole('button', { name: '取り下げる' }).click()
  await expect(other.getByLabel('タイトル')).toHaveValue('取り下げる話')
  await expect(other.getByLabel('内容')).toHaveValue('長い話の始まり')
  await other.getByLabel('ニックネーム').fill('待つ忍者#秘密の鍵')
  await other.getByRole('button', { name: 'スレッドを作成' }).click()
  await expect(waitingThread).toContainText('取り下げる話')
  const waits = await admin.send<{ held: HeldItem[] }>('GET', '/api/admin/held')
  await admin.send('POST', `/api/admin/held/${waits.held[0]!._id}/decision`, { action: 'approve' })
  // On the page of any category.
  await other.goto(`${board.url}/categories/world`)
  await expect.poll(() => other.evaluate(() => localStorage.getItem('held'))).toBeNull()
  await expect.poll(() => other.evaluate(() => localStorage.getItem('threadNames'))).toContain('"待つ忍者","秘密の鍵"')
  await other.goto(`${board.url}/notebook?list=threads`)
  await expect(other.getByRole('main')).toContainText('取り下げる話')
  await admin.send('PUT', `/api/admin/shields/${rant._id}`, { step: null })
  await expect(page.getByRole('complementary', { name: '結界' })).toHaveCount(0)
  await desk.close()
  await other.close()
})

test('a banned visitor reads the reason and the end of the ban for as long as they like, and keeps their draft @both', async ({
  page,
  run: board,
  admin,
}) => {
  const thread = await startThread(board, { title: '制限される話' })
  await enterThread(page, board, thread._id)
  await say(page, '宣伝です')
  await expect(postOf(page, 2)).toContainText('宣伝です')
  const [, post] = await readPosts(board, thread._id)
  const target = { threadId: thread._id, postId: post!._id }
  await admin.send('POST', '/api/admin/bans', { target, on: ['visitor'], reason: '宣伝を繰り返したため', hours: 24 })
  await repeatUntil(
    () => say(page, '宣伝の続きです'),
    (patience) => expect(page.getByRole('alert')).toContainText('宣伝を繰り返したため', patience),
  )
  await expect(page.getByRole('alert')).toContainText('解除：')
  await expect(composerOf(page)).toHaveValue('宣伝の続きです')
  // Longer than error notices stay.
  await page.waitForTimeout(3_500)
  await expect(page.getByRole('alert')).toContainText('宣伝を繰り返したため')
  await page.getByRole('button', { name: 'お知らせを閉じる' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('during a cooldown the button shows the time left, and the post is sent when it is over', async ({
  page,
  run: board,
  admin,
}) => {
  const thread = await startThread(board, { title: '間をあける話' })
  await page.clock.install()
  await enterThread(page, board, thread._id)
  await admin.send('PUT', '/api/admin/settings', { postCooldownSeconds: 600 })
  await say(page, '一つ目')
  await expect(postOf(page, 2)).toContainText('一つ目')
  await say(page, '二つ目')
  await expect(page.getByRole('button', { name: /^送信（あと\d+秒）$/ })).toBeVisible()
  await expect(composerOf(page)).toHaveValue('二つ目')
  await admin.send('PUT', '/api/admin/settings', { postCooldownSeconds: 0 })
  await page.clock.fastForward('11:00')
  await page.getByRole('button', { name: '送信', exact: true }).click()
  await expect(postOf(page, 3)).toContainText('二つ目')
})

test('the refusal of one post too many stays as long as its countdown', async ({ page, run: board, admin }) => {
  const thread = await startThread(board, { title: '書きすぎる話' })
  await page.clock.install()
  await enterThread(page, board, thread._id)
  await admin.send('PUT', '/api/admin/settings', { spamPosts: 2, spamWindowMinutes: 1 })
  await say(page, '一つ目')
  await expect(postOf(page, 2)).toContainText('一つ目')
  await say(page, '二つ目')
  const refusal = page.getByRole('alert').filter({ hasText: messages.spam(1) })
  await expect(refusal).toBeVisible()
  // Longer than error notices stay.
  await page.clock.fastForward(10_000)
  await expect(page.getByRole('button', { name: /^送信（あと\d+秒）$/ })).toBeVisible()
  await expect(refusal).toBeVisible()
  await page.clock.fastForward(60_000)
  await expect(page.getByRole('button', { name: '送信', exact: true })).toBeVisible()
  await expect(refusal).toBeHidden()
  await expect(composerOf(page)).toHaveValue('二つ目')
  await admin.send('PUT', '/api/admin/settings', { spamPosts: 100_000, spamWindowMinutes: 15 })
})

test('the operator’s banner is on every page until it is closed, and appears live in threads @both', async ({
  page,
  run: board,
  admin,
}) => {
  const thread = await startThread(board, { title: 'お知らせの届く話' })
  await page.goto(`${board.url}/thread/${thread._id}`)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await admin.send('PUT', '/api/admin/settings', { bannerText: '今夜、点検があります。' })
  const banner = page.getByRole('complementary', { name: '運営からのお知らせ' })
  await expect(banner).toContainText('今夜、点検があります。')
  await page.goto(board.url)
  await expect(banner).toBeVisible()
  const tab = await page.context().newPage()
  await tab.goto(board.url)
  await expect(tab.getByText('今夜、点検があります。')).toBeVisible()
  await untilScripted(tab)
  await banner.getByRole('button', { name: 'お知らせを閉じる' }).click()
  await expect(banner).toHaveCount(0)
  await expect(tab.getByText('今夜、点検があります。')).toHaveCount(0)
  await tab.close()
  // Every page contains it; the browser hides it before the first paint.
  expect(await (await page.goto(`${board.url}/about`))!.text()).toContain('今夜、点検があります。')
  await expect(banner).toHaveCount(0)
  await admin.send('PUT', '/api/admin/settings', { bannerText: '点検は終わりました。' })
  await page.goto(`${board.url}/about`)
  await expect(banner).toContainText('点検は終わりました。')
  await admin.send('PUT', '/api/admin/settings', { bannerText: '' })
})

test('a moderator removes a post in its thread, and restores it @both', async ({
  page,
  context,
  run: board,
  admin,
}) => {
  const thread = await startThread(board, { title: 'その場で片付ける話' })
  await writePost(board, thread._id, 'ここで消される書き込み')
  await page.goto(`${board.url}/thread/${thread._id}`)
  // Nobody else sees the button.
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect((await openMenu(page, 2)).getByRole('button', { name: /通報/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^管理/ })).toHaveCount(0)
  await logIn(context, board, admin)
  await page.reload()
  await (await openMenu(page, 2)).getByRole('button', { name: /^管理/ }).click()
  const dialog = page.getByRole('dialog', { name: '書き込みの管理' })
  await dialog.getByRole('button', { name: RULES.disturb }).click()
  await expect(postOf(page, 2)).toContainText(RULES.disturb)
  await dialog.getByRole('button', { name: '元に戻す' }).click()
  await expect(postOf(page, 2)).toContainText('ここで消される書き込み')

  await dialog.getByRole('button', { name: '書き込んだ人を制限…' }).click()
  const ban = page.getByRole('dialog', { name: '書き込みを制限' })
  await ban.getByLabel('理由').fill('荒らし行為')
  await ban.getByRole('button', { name: '制限する' }).click()
  await expect(dialog.getByText('の書き込みを制限しました。')).toBeVisible()
  await expect(dialog.getByRole('button', { name: '書き込んだ人を制限…' })).toHaveCount(0)
  // Whoever comes back to it is told before banning again.
  await page.reload()
  await (await openMenu(page, 2)).getByRole('button', { name: /^管理/ }).click()
  await dialog.getByRole('button', { name: '書き込んだ人を制限…' }).click()
  await expect(ban.getByText('すでに制限中です。')).toBeVisible()
})

test('the public log shows actions and their rules, and no names', async ({ page, run: board, admin }) => {
  const thread = await startThread(board, { title: '記録に残る話' })
  const member = await signUp(board)
  const post = await member.send<Post>('POST', `/api/threads/${thread._id}/posts`, { content: '名を伏せたい書き込み' })
  await admin.send('DELETE', `/api/admin/posts/${post._id}?rule=law&reason=${encodeURIComponent('内輪の覚え書き')}`)
  await page.goto(`${board.url}/terms`)
  await page.getByRole('main').getByRole('link', { name: '御触書' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: '書き込みを削除' }).filter({ hasText: '記録に残る話' })
  await expect(entry).toContainText(RULES.law)
  const text = await page.content()
  const raw = await (await page.request.get(`${board.url}/api/moderation-log`)).text()
  for (const secret of [
    member.user.name,
    admin.user.name,
    '内輪の覚え書き',
    '名を伏せたい',
    member.user._id,
    admin.user._id,
  ]) {
    expect(text).not.toContain(secret)
    expect(raw).not.toContain(secret)
  }
  expect((JSON.parse(raw) as PublicLogEntry[])[0]).toMatchObject({ threadId: thread._id, number: 2, rule: 'law' })
  await entry.getByRole('link', { name: '記録に残る話' }).click()
  await expect(postOf(page, 2)).toContainText(messages.post_deleted)
})
