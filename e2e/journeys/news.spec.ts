import { messages } from '@shinobi/contract/messages'
import type { ThreadSummary } from '@shinobi/contract/news'
import type { BrowserContext, Page } from '@playwright/test'
import { openNewsRoom, SENTENCES, type NewsRoom } from '../news-room.ts'
import {
  expect,
  holdScripts,
  logIn,
  openMenu,
  postOf,
  rowOf,
  saidOnPage,
  test as base,
  untilFound,
  untilScripted,
} from '../test.ts'

const test = base.extend<object, { news: NewsRoom }>({
  news: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
    async ({}, provide) => {
      const news = await openNewsRoom()
      await provide(news)
      await news.close()
    },
    { scope: 'worker' },
  ],
})

const summaryOf = (page: Page) => postOf(page, 1).getByRole('list', { name: '要約' })
const open = (page: Page, { board, summarised }: NewsRoom) => page.goto(`${board.url}/thread/${summarised._id}`)
const hideSwitch = (page: Page) => page.getByRole('switch', { name: 'AI要約を隠す' })
/** Sets the choice to hide AI summaries, as a returning visitor has it. */
const hideBeforehand = (context: BrowserContext) =>
  context.addInitScript(() => {
    if (localStorage.getItem('visited') === null) localStorage.setItem('hideAi', '1')
    localStorage.setItem('visited', '1')
  })

const reportDialog = (page: Page) => page.getByRole('dialog', { name: 'この書き込みを通報' })
/** The reasons of all reports. */
async function reasonsAt({ admin }: NewsRoom): Promise<string[]> {
  const { cases } = await admin.send<{ cases: { reports: { reason: string }[] }[] }>('GET', '/api/admin/cases')
  return cases.flatMap(({ reports }) => reports.map(({ reason }) => reason))
}

const inOrder = (source: string | null): readonly [string, string] =>
  source === '港町デイリー' ? ['港町デイリー', 'つばめ通信'] : ['つばめ通信', '港町デイリー']

test('a news thread is marked in the list, and says how and from which article it was made @both', async ({
  page,
  news,
}) => {
  const { board, summarised, headline } = news
  await page.goto(board.url)
  const row = page.locator(`li[id="${summarised._id}"]`)
  await expect(row.getByText('AI要約', { exact: true })).toBeVisible()
  // The first of the two publishers that was read is the source; the other one has the same story.
  const [own, other] = inOrder(summarised.sourceSite)
  await expect(row.getByText(`出典: ${own}`)).toBeVisible()
  await expect(row.getByRole('link', { name: /^元記事/ })).toHaveAttribute('href', summarised.sourceUrl!)
  await expect(page.locator(`li[id="${headline._id}"]`).getByText('見出しのみ', { exact: true })).toBeVisible()

  await rowOf(page, summarised.title).click()
  const first = postOf(page, 1)
  await expect(first.locator('header').first()).toContainText('自動要約')
  await expect(first).toContainText(/AI（e2e-model）が \d+月\d+日 \d\d:\d\d に要約/)
  await expect(first.getByRole('list', { name: '同じ出来事を伝える記事' })).toContainText(other)
  await expect(summaryOf(page).getByRole('listitem')).toHaveCount(SENTENCES.length)
  for (const { text, quote } of SENTENCES) {
    await expect(summaryOf(page).getByText(text)).toBeVisible()
    await expect(summaryOf(page).getByText(quote)).toBeHidden()
  }

  await page.goto(`${board.url}/thread/${headline._id}`)
  await expect(postOf(page, 1)).toContainText(messages.news_headline_text)
  await expect(postOf(page, 1).locator('header').first()).toContainText('自動紹介')
  await expect(postOf(page, 1).getByRole('link', { name: new RegExp(`^${headline.title}`) })).toBeVisible()
})

test('each sentence opens the passage it rests on, also by keyboard @both', async ({ page, news }) => {
  await open(page, news)
  const [{ quote }] = SENTENCES
  const sentence = summaryOf(page).getByRole('listitem').first()
  await sentence.locator('summary').focus()
  await page.keyboard.press('Enter')
  const passage = sentence.locator('blockquote')
  await expect(passage).toHaveText(quote)
  await expect(passage).toHaveAttribute('cite', news.summarised.sourceUrl!)
  const link = sentence.getByRole('link', { name: new RegExp(`^${news.summarised.sourceSite}の元記事`) })
  expect(await link.getAttribute('href')).toContain(`${news.summarised.sourceUrl}#:~:text=`)
  await page.keyboard.press('Enter')
  await expect(passage).toBeHidden()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('a summary shows all its sources', async ({ page, news }) => {
    await open(page, news)
    const sentence = summaryOf(page).getByRole('listitem').nth(1)
    await expect(sentence.locator('blockquote')).toBeHidden()
    await sentence.locator('summary').click()
    await expect(sentence.locator('blockquote')).toHaveText(SENTENCES[1].quote)
    await expect(page.getByRole('button', { name: 'AIの誤りを報告' })).toBeHidden()
    await page.goto(news.board.url)
    await expect(rowOf(page, news.summarised.title)).toBeVisible()
    await expect(hideSwitch(page)).toBeHidden()
  })
})

test('an error is reported with an input method, into the queue of moderators @both', async ({
  page,
  news,
  isMobile,
}) => {
  await open(page, news)
  await page.getByRole('button', { name: 'AIの誤りを報告' }).click()
  const dialog = reportDialog(page)
  const reason = dialog.getByLabel(/通報の理由/)
  const submit = dialog.getByRole('button', { name: '通報する' })
  await expect(dialog).toContainText('自動要約')
  await expect(reason).toHaveValue('AIの誤り: ')
  // The preset beginning alone does not say what is wrong.
  await expect(submit).toBeDisabled()
  await reason.focus()
  if (isMobile) {
    await page.keyboard.insertText('来館者の数が違います')
  } else {
    const session = await page.context().newCDPSession(page)
    await session.send('Input.imeSetComposition', { text: 'らいかんしゃ', selectionStart: 6, selectionEnd: 6 })
    await session.send('Input.insertText', { text: '来館者の数が違います' })
  }
  await expect(reason).toHaveValue('AIの誤り: 来館者の数が違います')

  // A closed dialog keeps what was typed, whichever button opens it again.
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'AIの誤りを報告' }).click()
  await expect(reason).toHaveValue('AIの誤り: 来館者の数が違います')
  const thanked = saidOnPage(page, messages.report_received)
  await submit.click()
  await thanked
  await (await openMenu(page, 1)).getByRole('button', { name: /^通報/ }).click()
  await expect(reason).toHaveValue('')
  expect(await reasonsAt(news)).toContain('AIの誤り: 来館者の数が違います')
})

test('an error in one sentence is reported with this sentence @both', async ({ page, news }) => {
  await open(page, news)
  const [first, second] = SENTENCES
  const press = async (index: number) => {
    const sentence = summaryOf(page).getByRole('listitem').nth(index)
    if (!(await sentence.locator('blockquote').isVisible())) await sentence.locator('summary').click()
    await sentence.getByRole('button', { name: 'この文の誤りを報告' }).click()
  }
  const reason = reportDialog(page).getByLabel(/通報の理由/)
  await press(0)
  await expect(reason).toHaveValue(`AIの誤り「${first.text}」: `)
  await reason.focus()
  await page.keyboard.insertText('年が違います')
  await page.keyboard.press('Escape')
  await expect(reason).toBeHidden()
  // What was typed about a sentence stays with it.
  await press(1)
  await expect(reason).toHaveValue(`AIの誤り「${second.text}」: `)
  await page.keyboard.press('Escape')
  await press(0)
  await expect(reason).toHaveValue(`AIの誤り「${first.text}」: 年が違います`)
  const thanked = saidOnPage(page, messages.report_received)
  await page.getByRole('button', { name: '通報する' }).click()
  await thanked
  expect(await reasonsAt(news)).toContain(`AIの誤り「${first.text}」: 年が違います`)
})

test('where the summary fails to load, the plain text is shown and nothing breaks', async ({ page, news }) => {
  await page.goto(news.board.url)
  // Only within a page is the summary asked for; a loaded page has it.
  await untilScripted(page)
  await page.route(/\/summary$/, (route) => route.fulfill({ status: 500, body: 'broken' }))
  await rowOf(page, news.summarised.title).click()
  await expect(postOf(page, 1)).toContainText(SENTENCES[0].text)
  await expect(summaryOf(page)).toBeHidden()
  await expect(page.getByRole('button', { name: 'この名前で書き込む' })).toBeVisible()
  await page.unroute(/\/summary$/)
  await page.reload()
  await expect(summaryOf(page)).toBeVisible()
})

test('a changed or deleted article is announced above its summary', async ({ page, news }) => {
  for (const [state, words] of [
    ['stale', '元記事はこの要約の後に変更されました'],
    ['gone', '元記事は見られなくなっています'],
  ] as const) {
    await page.goto(news.board.url)
    await untilScripted(page)
    // Articles are checked again only after an hour, so the server's answer is replaced.
    await page.route(/\/summary$/, async (route) => {
      const summary = (await (await route.fetch()).json()) as ThreadSummary
      await route.fulfill({ json: { ...summary, state, changedAt: '2026-01-02T03:04:00Z' } })
    })
    await rowOf(page, news.summarised.title).click()
    await expect(postOf(page, 1)).toContainText(words)
    await expect(postOf(page, 1)).toContainText('1月2日 12:04 に確認')
    await expect(summaryOf(page)).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  }
})

test('hidden AI summaries stay out of every list, visit and tab until they are shown again', async ({
  page,
  context,
  news,
}) => {
  const { board, summarised, headline } = news
  await page.goto(board.url)
  const other = await context.newPage()
  await other.goto(`${board.url}/categories/politics`)
  await expect(hideSwitch(page)).toHaveAttribute('aria-checked', 'false')
  await hideSwitch(page).click()
  await expect(hideSwitch(page)).toHaveAttribute('aria-checked', 'true')
  for (const tab of [page, other]) {
    await expect(tab.getByRole('link', { name: summarised.title })).toHaveCount(0)
    await expect(rowOf(tab, headline.title)).toBeVisible()
    await expect(hideSwitch(tab)).toHaveAttribute('aria-checked', 'true')
  }
  // The thread can still be read by its address, and the list is as before on return.
  await rowOf(page, headline.title).click()
  await expect(postOf(page, 1)).toBeVisible()
  await page.goBack()
  await expect(rowOf(page, headline.title)).toBeVisible()
  await expect(rowOf(page, summarised.title)).toBeHidden()
  await other.close()
  await page.reload()
  await expect(rowOf(page, summarised.title)).toBeHidden()
  await hideSwitch(page).click()
  await expect(rowOf(page, summarised.title)).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('hideAi'))).toBeNull()
})

test('hidden summaries do not appear even while the page loads, and the page is the same for everybody', async ({
  page,
  context,
  news,
}) => {
  const { board, summarised } = news
  const plain = await (await fetch(board.url)).text()
  await hideBeforehand(context)
  // The page's scripts never load: only boot.js and the style sheet hide the summaries.
  await page.route(/\/assets\/.*\.js$/, (route) => route.abort())
  const answer = await page.goto(board.url)
  expect((await answer!.text()).includes(summarised._id)).toBe(plain.includes(summarised._id))
  expect(await answer!.text()).toContain(summarised._id)
  await expect(page.locator(`li[id="${summarised._id}"]`)).toBeHidden()
  await expect(hideSwitch(page)).toBeVisible()
})

test('a tab that is still loading follows what another one hides meanwhile', async ({ page, context, news }) => {
  const { board, summarised, headline } = news
  const runScripts = await holdScripts(page)
  await page.goto(board.url, { waitUntil: 'commit' })
  await expect(rowOf(page, summarised.title)).toBeVisible()
  const other = await context.newPage()
  await other.goto(board.url)
  await hideSwitch(other).click()
  await expect(hideSwitch(other)).toHaveAttribute('aria-checked', 'true')
  runScripts()
  await expect(page.getByRole('link', { name: summarised.title })).toHaveCount(0)
  await expect(rowOf(page, headline.title)).toBeVisible()
  await expect(hideSwitch(page)).toHaveAttribute('aria-checked', 'true')
})

test('a list of only hidden AI summaries says how to show them', async ({ page, context, news }) => {
  await hideBeforehand(context)
  const search = `?search=${encodeURIComponent('図書館')}`
  await untilFound(news.board, `/api/threads${search}`)
  await page.goto(`${news.board.url}/${search}`)
  await expect(page.getByText(/AI要約のスレッドだけです/)).toBeVisible()
  await hideSwitch(page).click()
  await expect(rowOf(page, news.summarised.title)).toBeVisible()
  await expect(page.getByText(/AI要約のスレッドだけです/)).toBeHidden()
})

test('on the desk of reports an administrator reads the passage of a reported sentence, and readers see its correction live', async ({
  page,
  context,
  browser,
  news,
}) => {
  const { board, summarised, admin } = news
  const [first, second] = SENTENCES
  const [{ _id: postId }] = await admin.send<[{ _id: string }]>('GET', `/api/threads/${summarised._id}/posts`)
  await fetch(`${board.url}/api/threads/${summarised._id}/posts/${postId}/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reason: `AIの誤り「${second.text}」: 年が違います`, content: '' }),
  })
  const own = await browser.newContext()
  await logIn(own, board, admin)
  const desk = await own.newPage()
  await desk.goto(`${board.url}/admin/reports`)
  const summary = desk.getByRole('region', { name: '通報された要約' })
  const sentences = summary.getByRole('list').first().getByRole('listitem')
  await expect(sentences.nth(1)).toContainText('この文への通報 1件')
  await expect(sentences.nth(1)).toContainText(second.quote)
  await expect(sentences.nth(2)).not.toContainText('通報')
  await expect(summary.getByRole('link', { name: /新しいタブ/ }).first()).toHaveAttribute('href', summarised.sourceUrl!)

  const other = await context.newPage()
  for (const tab of [page, other]) await open(tab, news)
  await expect(page.getByText('自動更新中')).toBeVisible()
  await summary.getByRole('button', { name: '訂正' }).click()
  const dialog = desk.getByRole('dialog', { name: '要約の訂正' })
  await dialog.getByLabel(/^要約の文2/).fill('日曜日も午後九時まで開く。')
  await dialog.getByLabel(/^訂正の説明/).fill('曜日に誤りがありました。')
  await dialog.getByRole('button', { name: '訂正する' }).click()
  await expect(desk.getByText('要約を訂正しました。残り0件')).toBeVisible()
  await expect(desk.getByText('対応を待つ通報はありません。')).toBeVisible()
  for (const tab of [page, other]) {
    await expect(summaryOf(tab).getByRole('listitem').nth(1)).toContainText('日曜日も午後九時まで開く。')
    await expect(summaryOf(tab)).toContainText(first.text)
    await expect(postOf(tab, 1).getByRole('list', { name: '訂正の記録' })).toContainText('曜日に誤りがありました。')
    // The sentence before, and after.
    await expect(postOf(tab, 1).getByRole('deletion')).toHaveText(second.text)
    await expect(postOf(tab, 1).getByRole('insertion')).toHaveText('日曜日も午後九時まで開く。')
  }
  await desk.getByRole('button', { name: '対応済み' }).click()
  await expect(desk.getByRole('main')).toContainText('要約を訂正')
  await own.close()
})
