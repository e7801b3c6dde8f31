/** Rows of the lists: how many fit a screen, their orders, and changes while they are open. */
import type { Page } from '@playwright/test'
import { startThread, writePost, type Board } from '../board.ts'
import { expect, repeatUntil, rowOf, test, untilScripted } from '../test.ts'

const LONG = '【長文注意】この題名はとても長く、二行に届いても行の形を崩さず、読む人の目を疲れさせないかを確かめる'
const TITLES = ['月を見る会', LONG, '手裏剣の研ぎ方を教えてほしい', '夜道で見たもの', '今年の祭りはどこへ行く？']

const rowsOf = (page: Page) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('article') })
const titlesOf = async (page: Page): Promise<string[]> =>
  (await rowsOf(page).getByRole('heading').allTextContents()).map((title) => title.trim())

async function fillList(board: Board): Promise<void> {
  for (let index = 1; index <= 20; index += 1) {
    const { _id } = await startThread(board, { title: `${index}　${TITLES[index % 5]}`, category: 'rant' })
    for (let count = 0; count < index % 3; count += 1) await writePost(board, _id, `返事${count}`)
  }
}

test('the first screen shows ten threads on a phone, sixteen on a wide screen, and little above them @both', async ({
  page,
  ownBoard: board,
  isMobile,
}) => {
  await fillList(board)
  const [width, height] = isMobile ? [390, 844] : [1280, 900]
  await page.setViewportSize({ width, height })
  // Shows the switch on lists without summaries too.
  await page.addInitScript(() => localStorage.setItem('hideAi', '1'))
  for (const path of ['/', '/categories/rant', '/ranking']) {
    await page.goto(board.url + path)
    await page.evaluate(() => document.fonts.ready)
    const boxes = await rowsOf(page).evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().toJSON()))
    expect(boxes).toHaveLength(20)
    const whole = boxes.filter(({ bottom }) => bottom <= height)
    expect(whole.length, path).toBeGreaterThanOrEqual(isMobile ? 10 : 16)
    const least = Math.min(...boxes.map((box) => box.height))
    expect(boxes[0].top, path).toBeLessThanOrEqual(isMobile ? 180 : 200)
    if (isMobile) {
      expect(least).toBeGreaterThanOrEqual(48)
      expect(least).toBeLessThanOrEqual(56)
    } else expect(least).toBe(40)
  }
})

test('with large text the button for a new thread is beside the heading, or below the fields at their edge @both', async ({
  page,
  board,
  isMobile,
}) => {
  await page.goto(board.url)
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
  const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!
  const create = (await page.getByRole('main').getByRole('link', { name: 'スレッドを作成' }).boundingBox())!
  if (isMobile) expect(create.y).toBeLessThan(heading.y + heading.height)
  else expect(create.x).toBe(heading.x)
})

test('a row names its category on mixed lists only, and says when the last post came @both', async ({
  page,
  board,
}) => {
  const { _id } = await startThread(board, { title: 'どこに立った話か', category: 'economy' })
  await writePost(board, _id, '返事')
  for (const [path, names] of [
    ['/', 1],
    ['/categories/economy', 0],
  ] as const) {
    await page.goto(board.url + path)
    const row = page.locator(`li[id="${_id}"]`)
    await expect(row.getByText('経済')).toHaveCount(names)
    await expect(row.getByText(/^投稿/)).toHaveText('投稿 2')
    await expect(row.getByTitle(/^勢い/)).toHaveText('勢い 48')
    await expect(row.getByTitle(/^最終 \d+月\d+日/)).toHaveText(/^最終 \d\d:\d\d$/)
    await expect(row.locator('time').filter({ hasText: '月' })).toHaveText(/^\d+月\d+日 \d\d:\d\d$/)
  }
})

test('a list that stays open tells the day and the speed as they are after midnight', async ({ page, board }) => {
  await page.clock.install()
  const { _id } = await startThread(board, { title: '夜を越す話', category: 'economy' })
  await page.goto(`${board.url}/categories/economy`)
  await untilScripted(page)
  const row = page.locator(`li[id="${_id}"]`)
  await expect(row.getByTitle(/^最終/)).toHaveText(/^最終 \d\d:\d\d$/)
  await expect(row.getByTitle(/^勢い/)).toHaveText('勢い 24')
  await page.clock.fastForward('24:00:00')
  await expect(row.getByTitle(/^最終/)).toHaveText(/^最終 \d+\/\d+$/)
  await expect(row.getByTitle(/^勢い/)).toHaveText('勢い 1')
})

test('lists are sorted by speed and by the last post, and remember the order chosen last', async ({
  page,
  ownBoard: board,
}) => {
  const quiet = await startThread(board, { title: '静かな巻物', category: 'rant' })
  const busy = await startThread(board, { title: '賑わう巻物', category: 'rant' })
  await startThread(board, { title: '新しい巻物', category: 'rant' })
  for (const text of ['一', '二', '三']) await writePost(board, busy._id, text)
  await writePost(board, quiet._id, '久しぶり')
  await page.goto(`${board.url}/categories/rant`)
  const order = page.getByLabel('並び順')
  await repeatUntil(
    () => order.selectOption({ label: '勢い順' }),
    (patience) => expect(page).toHaveURL(/sort=speed$/, patience),
  )
  await expect.poll(() => titlesOf(page)).toEqual(['賑わう巻物', '静かな巻物', '新しい巻物'])
  await order.selectOption({ label: '最終レス順' })
  await expect(page).toHaveURL(/sort=active$/)
  await expect.poll(() => titlesOf(page)).toEqual(['静かな巻物', '賑わう巻物', '新しい巻物'])

  // Later, at an address that names no order, and by a link.
  await page.goto(board.url)
  await expect(page).toHaveURL(`${board.url}/?sort=active`)
  await expect.poll(() => titlesOf(page)).toEqual(['静かな巻物', '賑わう巻物', '新しい巻物'])
  await page.getByRole('navigation', { name: 'カテゴリ', exact: true }).getByRole('link', { name: /愚痴/ }).click()
  await expect(page).toHaveURL(/\/categories\/rant\?sort=active$/)
  await expect(order).toHaveValue('active')
  // The address wins.
  await page.goto(`${board.url}/?sort=oldest`)
  await expect.poll(() => titlesOf(page)).toEqual(['静かな巻物', '賑わう巻物', '新しい巻物'])
  await expect(order).toHaveValue('oldest')

  await repeatUntil(
    () => order.selectOption({ label: '新着順' }),
    (patience) => expect(page).toHaveURL(`${board.url}/`, patience),
  )
  await page.reload()
  await expect(order).toHaveValue('newest')
  await expect(page).toHaveURL(`${board.url}/`)
})

test('the order by unread posts has threads with most of them first, and moves no row meanwhile', async ({
  page,
  ownBoard: board,
}) => {
  const markOf = (threadId: string) => page.locator(`li[id="${threadId}"] [data-unread]`)
  const few = await startThread(board, { title: '二つ増えた巻物', category: 'rant' })
  const many = await startThread(board, { title: '五つ増えた巻物', category: 'rant' })
  for (const { _id } of [few, many]) {
    await repeatUntil(
      async () => {
        await page.goto(`${board.url}/thread/${_id}`)
        await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
        await page.goto(`${board.url}/categories/rant`)
      },
      (patience) => expect(markOf(_id)).toHaveText('既読', patience),
    )
  }
  for (const text of ['一', '二', '三', '四', '五']) await writePost(board, many._id, text)
  for (const text of ['一', '二']) await writePost(board, few._id, text)
  await startThread(board, { title: '開いたことのない巻物', category: 'rant' })

  const order = page.getByLabel('並び順')
  await repeatUntil(
    () => order.selectOption({ label: '未読順' }),
    (patience) => expect(page).toHaveURL(/sort=unread$/, patience),
  )
  const expected = ['五つ増えた巻物', '二つ増えた巻物', '開いたことのない巻物']
  const plain = async () => (await titlesOf(page)).map((title) => title.replace(/(未読 \+\d+|既読)$/, '').trim())
  await expect.poll(plain).toEqual(expected)
  // The other thread is read on in another tab.
  const other = await page.context().newPage()
  await other.goto(`${board.url}/thread/${many._id}`)
  await expect(markOf(many._id)).toHaveText('既読')
  expect(await plain()).toEqual(expected)
  // At the next visit, and at an address without an order, the rows are put in order again.
  await page.goto(`${board.url}/categories/rant`)
  await expect(page).toHaveURL(/sort=unread$/)
  await expect.poll(plain).toEqual(['二つ増えた巻物', '開いたことのない巻物', '五つ増えた巻物'])
  await expect(order).toHaveValue('unread')
})

test('an open list counts new posts in place, and shows new threads when asked @both', async ({
  page,
  ownBoard: board,
}) => {
  await page.clock.install()
  const first = await startThread(board, { title: '初めからある巻物', category: 'rant' })
  await page.goto(`${board.url}/categories/rant`)
  await page.waitForLoadState('networkidle')
  const count = page.locator(`li[id="${first._id}"]`).getByText(/^投稿/)
  await expect(count).toHaveText('投稿 1')
  const row = rowOf(page, '初めからある巻物')
  const before = await row.boundingBox()

  await writePost(board, first._id, '開いている間に')
  await startThread(board, { title: '後から来た巻物', category: 'rant' })
  await repeatUntil(
    () => page.clock.runFor(25_000),
    (patience) => expect(count).toHaveText('投稿 2', patience),
  )
  const pill = page.getByRole('button', { name: '新着スレッド 1件' })
  await expect(pill).toBeVisible()
  expect(await row.boundingBox()).toEqual(before)
  await expect(rowOf(page, '後から来た巻物')).toBeHidden()

  // An unchanged list costs nothing but a 304.
  const unchanged = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/categories/rant/threads') && answer.status() === 304,
  )
  await page.clock.runFor(25_000)
  await unchanged

  await pill.click()
  await expect.poll(() => titlesOf(page)).toEqual(['新着後から来た巻物', '初めからある巻物'])
  await expect(rowOf(page, '後から来た巻物')).toBeFocused()
  await expect(pill).toBeHidden()
})

test('a list without a connection asks for nothing', async ({ page, context, board }) => {
  await page.clock.install()
  await page.goto(`${board.url}/categories/world`)
  await page.waitForLoadState('networkidle')
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/categories/world/threads') asked += 1
  })
  await expect(async () => {
    await page.clock.runFor(25_000)
    expect(asked).toBeGreaterThan(0)
  }).toPass()
  await context.setOffline(true)
  const before = asked
  await page.clock.runFor(65_000)
  expect(asked).toBe(before)
  await context.setOffline(false)
  await expect(async () => {
    await page.clock.runFor(25_000)
    expect(asked).toBeGreaterThan(before)
  }).toPass()
})

test('an open list is asked again after the clock of the device was set back', async ({ page, board }) => {
  await page.clock.install()
  const asked = () => page.waitForRequest((request) => request.url().endsWith('/api/categories/world/threads'))
  const first = asked()
  await page.goto(`${board.url}/categories/world`)
  await first
  const again = asked()
  await page.clock.setSystemTime(Date.now() - 3_600_000)
  await page.clock.runFor(45_000)
  await again
})
