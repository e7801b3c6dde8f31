/** The notebook and the rules of hiding of a member on two devices, and of two members on one. */
import type { StoredHiding } from '@shinobi/contract/hiding'
import { HIDING_BATCH, HIDING_RULES_MAX } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { StoredNotebook } from '@shinobi/contract/notebook'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test'
import { signUp, startThread, writePost, type Board, type Member } from '../board.ts'
import { expect, logIn, postOf, repeatUntil, rowOf as threadRowOf, test } from '../test.ts'

const star = (page: Page) => page.getByRole('button', { name: 'お気に入り', exact: true })
const rowOf = (page: Page, title: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: title })
const stored = (page: Page) => page.getByText(/^アカウントには/)

/** What a browser tells a page when its tab is shown again. */
const returnToTab = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))

const POSTS = 20
/** A few of them fill a screen. */
const LONG = Array.from({ length: 8 }, (_, index) => `峠を越えて ${index}`).join('\n')

/** What the server keeps for a member. */
const entriesOf = async (member: Member) => (await member.send<StoredNotebook>('GET', '/api/notebook')).entries

async function openDevice(
  browser: Browser,
  options: BrowserContextOptions,
  board: Board,
  member: Member,
): Promise<BrowserContext> {
  const device = await browser.newContext(options)
  await logIn(device, board, member)
  return device
}

/** Logs another member in, and waits until the browser knows, as it does after the form. */
async function changeMember(page: Page, board: Board, member: Member): Promise<void> {
  // An open page of the former member would go on telling of what it shows, to the new one.
  await page.goto('about:blank')
  await logIn(page.context(), board, member)
  await page.goto(`${board.url}/about`)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('user'))).toContain(member.user._id)
}

async function openNotebook(page: Page, board: Board, list = ''): Promise<void> {
  await page.goto(`${board.url}/notebook${list}`)
  await expect(page.getByRole('heading', { name: 'ほかの端末との同期' })).toBeVisible()
}

/** Opens a thread, and waits until the page is live and has noted the visit. */
async function openThread(page: Page, board: Board, threadId: string): Promise<void> {
  await page.goto(`${board.url}/thread/${threadId}`)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect.poll(() => visitedAt(page, threadId)).not.toBeNull()
}

/** When the browser noted a visit to a thread; the page has opened its database already. */
const visitedAt = (page: Page, threadId: string): Promise<number | null> =>
  page.evaluate(async (id) => {
    if (!(await indexedDB.databases()).some(({ name }) => name === 'shinobi')) return null
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await settled(indexedDB.open('shinobi'))
    const record = await settled<{ visitedAt: number | null } | undefined>(
      database.transaction('threads').objectStore('threads').get(id),
    )
    database.close()
    return record?.visitedAt ?? null
  }, threadId)

test('what a member reads on one device is read on the other', async ({ browser, context, contextOptions, board }) => {
  const member = await signUp(board)
  const { _id } = await startThread(board, { title: '峠の茶屋' })
  for (let number = 2; number <= POSTS; number += 1) await writePost(board, _id, LONG)
  await logIn(context, board, member)
  const page = await context.newPage()
  await openThread(page, board, _id)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
  await page.locator('[id="8"]').scrollIntoViewIfNeeded()
  await expect(async () => {
    const [first] = await entriesOf(member)
    expect(first?.entry.readThrough).toBeGreaterThanOrEqual(8)
    expect(first?.entry.favouriteAt).not.toBeNull()
  }).toPass()
  const other = await openDevice(browser, contextOptions, board, member)
  const theirs = await other.newPage()
  await openNotebook(theirs, board)
  const row = rowOf(theirs, '峠の茶屋')
  // The last of what was read may still be on its way.
  await repeatUntil(
    () => returnToTab(theirs),
    async (patience) => {
      const [first] = await entriesOf(member)
      await expect(row).toHaveAttribute('data-unread', String(POSTS - first!.entry.readThrough), patience)
    },
  )
  expect(Number(await row.getAttribute('data-unread'))).toBeGreaterThan(0)
  await expect(stored(theirs)).toContainText('1件のスレッド')
  await row.getByRole('link').click()
  await expect(theirs.getByText('ここまで読んだ')).toBeInViewport()
  await expect(star(theirs)).toHaveAttribute('aria-pressed', 'true')

  // What is removed on one is removed on the other.
  await star(theirs).click()
  await expect(star(theirs)).toHaveAttribute('aria-pressed', 'false')
  await expect(async () => expect((await entriesOf(member))[0]!.entry.favouriteAt).toBeNull()).toPass()
  await openNotebook(page, board)
  await expect(rowOf(page, '峠の茶屋')).toBeHidden()
  await expect(page.getByText('お気に入りはまだありません。')).toBeVisible()
  await other.close()

  await expect(stored(page)).toContainText('1件のスレッド')
  await page.getByRole('button', { name: 'アカウントの記録を消す' }).click()
  const dialog = page.getByRole('dialog', { name: 'アカウントの記録を消す' })
  await dialog.getByRole('button', { name: '記録を消す' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('アカウントの記録を消しました。')).toBeVisible()
  await expect(stored(page)).toContainText('0件のスレッド')
  expect(await entriesOf(member)).toEqual([])
  // The browser keeps its own.
  await openNotebook(page, board, '?list=history')
  await expect(rowOf(page, '峠の茶屋')).toBeVisible()
})

test('two members of one browser keep their accounts apart', async ({ context, board }) => {
  const [first, second] = [await signUp(board), await signUp(board)]
  const before = await startThread(board, { title: '名乗る前の巻' })
  const mine = await startThread(board, { title: '一人目の巻' })
  const theirs = await startThread(board, { title: '二人目の巻' })
  const page = await context.newPage()
  await page.goto(`${board.url}/thread/${before._id}`)
  await expect(page.getByRole('dialog', { name: 'ニックネームを決める' })).toBeVisible()
  await expect.poll(() => visitedAt(page, before._id)).not.toBeNull()
  // What is read in an open tab after a log-in in another one is the member's.
  await page.goto('about:blank')
  const idsOf = async (member: Member) => (await entriesOf(member)).map(({ entry }) => entry.threadId)

  await logIn(context, board, first)
  await openThread(page, board, mine._id)
  await expect(async () => expect(await idsOf(first)).toEqual([mine._id])).toPass()
  await changeMember(page, board, second)
  await openThread(page, board, theirs._id)
  await expect(async () => expect(await idsOf(second)).toEqual([theirs._id])).toPass()
  expect(await idsOf(first)).toEqual([mine._id])

  // Only when a member asks for it.
  await openNotebook(page, board, '?list=history')
  await expect(rowOf(page, '名乗る前の巻')).toBeVisible()
  await page.getByRole('button', { name: 'この帳面をアカウントに加える' }).click()
  await expect(page.getByText('この帳面をアカウントに加えました。')).toBeVisible()
  await expect(stored(page)).toContainText('3件のスレッド')
})

test('a browser that does not synchronise sends nothing', async ({ context, board }) => {
  const member = await signUp(board)
  const quiet = await startThread(board, { title: '静かな巻' })
  const told = await startThread(board, { title: '伝える巻' })
  await logIn(context, board, member)
  const page = await context.newPage()
  await openNotebook(page, board)
  const onOff = page.getByRole('switch', { name: 'このブラウザで同期する' })
  await onOff.click()
  await expect(onOff).toHaveAttribute('aria-checked', 'false')
  await openThread(page, board, quiet._id)
  await openNotebook(page, board, '?list=history')
  await expect(rowOf(page, '静かな巻')).toBeVisible()
  await expect(onOff).toHaveAttribute('aria-checked', 'false')
  await onOff.click()
  await expect(onOff).toHaveAttribute('aria-checked', 'true')
  await openThread(page, board, told._id)
  await expect(async () => {
    expect((await entriesOf(member)).map(({ entry }) => entry.threadId)).toEqual([told._id])
  }).toPass()
})

test('without a network changes wait, and are sent when it returns', async ({ context, board }) => {
  const member = await signUp(board)
  const { _id } = await startThread(board, { title: '霧の巻' })
  await logIn(context, board, member)
  const page = await context.newPage()
  await openThread(page, board, _id)
  await expect(async () => expect(await entriesOf(member)).toHaveLength(1)).toPass()
  await context.setOffline(true)
  await star(page).click()
  await expect(star(page)).toHaveAttribute('aria-pressed', 'true')
  await context.setOffline(false)
  await expect(async () => expect((await entriesOf(member))[0]!.entry.favouriteAt).not.toBeNull()).toPass()
})

/** What the server keeps of a member's rules of hiding: their texts, without those removed. */
async function rulesOf(member: Member): Promise<string[]> {
  const texts: string[] = []
  for (let since = 0, more = true; more;) {
    const answer = await member.send<StoredHiding>('GET', `/api/notebook/hiding?since=${since}`)
    texts.push(...answer.entries.flatMap(({ text, traits }) => (traits === null ? [] : [text])))
    since = answer.since
    more = answer.more
  }
  return texts
}

const ruleOf = (page: Page, text: string) => page.getByRole('listitem').filter({ hasText: `「${text}」` })

async function openRules(page: Page, board: Board): Promise<void> {
  await page.goto(`${board.url}/ng`)
  await expect(page.getByRole('heading', { name: 'ほかの端末との同期' })).toBeVisible()
}

async function hideWord(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: '言葉' }).fill(text)
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(ruleOf(page, text)).toBeVisible()
}

const removeRule = (page: Page, text: string) => ruleOf(page, text).getByRole('button', { name: /^外す/ }).click()

test('what a member hides on one device is hidden on the other, until it is removed there @both', async ({
  browser,
  context,
  contextOptions,
  board,
}) => {
  const member = await signUp(board)
  const { _id } = await startThread(board, { content: '始まり' })
  await writePost(board, _id, '巻物の大安売り')
  const other = await openDevice(browser, contextOptions, board, member)
  const theirs = await other.newPage()
  await openThread(theirs, board, _id)
  await expect(postOf(theirs, 2)).toContainText('巻物の大安売り')

  await logIn(context, board, member)
  const page = await context.newPage()
  await openRules(page, board)
  await hideWord(page, '大安売り')
  await expect(async () => expect(await rulesOf(member)).toEqual(['大安売り'])).toPass()
  await expect(stored(page)).toContainText('1件のNG設定')

  // The thread that is open there follows, and so does a second tab.
  await returnToTab(theirs)
  await expect(postOf(theirs, 2)).toHaveText(/あぼーん.*NG：言葉「大安売り」/)
  const second = await other.newPage()
  await openRules(second, board)
  await removeRule(second, '大安売り')
  await expect(ruleOf(second, '大安売り')).toBeHidden()
  await expect(postOf(theirs, 2)).toContainText('巻物の大安売り')
  await expect(async () => expect(await rulesOf(member)).toEqual([])).toPass()
  await other.close()

  await returnToTab(page)
  await expect(ruleOf(page, '大安売り')).toBeHidden()
  await page.reload()
  await expect(stored(page)).toContainText('0件のNG設定')
  await expect(ruleOf(page, '大安売り')).toBeHidden()
})

test('a thread that is hidden by its title on one device leaves the open list of the other', async ({
  browser,
  context,
  contextOptions,
  board,
}) => {
  const member = await signUp(board)
  const title = `手裏剣の磨き方 ${member.user.name}`
  await startThread(board, { title, category: 'rant' })
  const other = await openDevice(browser, contextOptions, board, member)
  const theirs = await other.newPage()
  await theirs.goto(`${board.url}/categories/rant`)
  await expect(threadRowOf(theirs, title)).toBeVisible()
  await logIn(context, board, member)
  const page = await context.newPage()
  await openRules(page, board)
  await page.getByRole('radio', { name: 'スレッドのタイトル' }).check()
  await page.getByRole('textbox', { name: 'スレッドのタイトル' }).fill(member.user.name)
  await page.getByRole('button', { name: '隠す', exact: true }).click()
  await expect(async () => expect(await rulesOf(member)).toEqual([member.user.name])).toPass()
  await returnToTab(theirs)
  await expect(threadRowOf(theirs, title)).toBeHidden()
  await other.close()
})

test('what a member hides without a network is kept, and arrives later', async ({ context, board }) => {
  const member = await signUp(board)
  await logIn(context, board, member)
  const page = await context.newPage()
  await openRules(page, board)
  await hideWord(page, '一つ目')
  await expect(async () => expect(await rulesOf(member)).toEqual(['一つ目'])).toPass()
  await context.setOffline(true)
  await hideWord(page, '二つ目')
  await removeRule(page, '一つ目')
  await expect(ruleOf(page, '一つ目')).toBeHidden()
  await context.setOffline(false)
  await expect(async () => expect(await rulesOf(member)).toEqual(['二つ目'])).toPass()
  await expect(ruleOf(page, '二つ目')).toBeVisible()
  await expect(ruleOf(page, '一つ目')).toBeHidden()
})

test('what one browser hides for nobody, and for two members, goes into no other account', async ({
  context,
  board,
}) => {
  const [first, second] = [await signUp(board), await signUp(board)]
  const page = await context.newPage()
  await page.goto(`${board.url}/ng`)
  await hideWord(page, '名乗る前')
  await page.goto('about:blank')

  await logIn(context, board, first)
  await openRules(page, board)
  await hideWord(page, '一人目')
  await expect(async () => expect(await rulesOf(first)).toEqual(['一人目'])).toPass()
  await changeMember(page, board, second)
  await openRules(page, board)
  await hideWord(page, '二人目')
  // Somebody else's rule, of which this account must not hear.
  await removeRule(page, '一人目')
  await expect(async () => expect(await rulesOf(second)).toEqual(['二人目'])).toPass()
  const { entries } = await second.send<StoredHiding>('GET', '/api/notebook/hiding')
  expect(entries.map(({ text }) => text)).toEqual(['二人目'])
  expect(await rulesOf(first)).toEqual(['一人目'])

  // Only when a member asks for it; and cleared, the browser keeps its own.
  await page.getByRole('button', { name: 'このNG設定をアカウントに加える' }).click()
  await expect(page.getByText('このブラウザのNG設定をアカウントに加えました。')).toBeVisible()
  await expect(stored(page)).toContainText('2件のNG設定')
  await openNotebook(page, board)
  await expect(stored(page)).toContainText('0件のスレッドの記録と、2件のNG設定')
  await openRules(page, board)
  await page.getByRole('button', { name: 'アカウントのNG設定を消す' }).click()
  const dialog = page.getByRole('dialog', { name: 'アカウントのNG設定を消す' })
  await dialog.getByRole('button', { name: 'NG設定を消す', exact: true }).click()
  await expect(page.getByText('アカウントのNG設定を消しました。')).toBeVisible()
  await expect(stored(page)).toContainText('0件のNG設定')
  expect(await rulesOf(second)).toEqual([])
  await expect(ruleOf(page, '二人目')).toBeVisible()
})

test('where the account is full, the page says what to do, and what is hidden here stays', async ({
  context,
  board,
}) => {
  const member = await signUp(board)
  const traits = { chain: false, traceless: false, endsAt: null }
  for (let from = 0; from < HIDING_RULES_MAX; from += HIDING_BATCH) {
    const texts = Array.from({ length: HIDING_BATCH }, (_, index) => `言葉${from + index}`)
    const entries = texts.map((text) => ({ kind: 'word', text, threadId: null, traits, changedAt: 1 }))
    await member.send('POST', '/api/notebook/hiding', { entries })
  }
  await logIn(context, board, member)
  const page = await context.newPage()
  // What another device has made while this one had no network.
  await page.route(/hiding\?.*since=/, (route) => route.abort())
  await page.goto(`${board.url}/ng`)
  await hideWord(page, 'もう一つ')
  // After the failure the page sends nothing for ten seconds.
  await expect(page.getByText(messages.hiding_account_full)).toBeVisible()
  await expect(ruleOf(page, 'もう一つ')).toBeVisible()
  await page.unroute(/hiding\?.*since=/)
  await returnToTab(page)
  await removeRule(page, '言葉7')
  await expect(page.getByText(messages.hiding_account_full)).toBeHidden()
  const texts = await rulesOf(member)
  expect(texts).toHaveLength(HIDING_RULES_MAX)
  expect(texts).toContain('もう一つ')
  expect(texts).not.toContain('言葉7')
})
