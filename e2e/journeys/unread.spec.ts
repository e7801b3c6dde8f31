/** What this browser has read: the first unread post, +n in lists, the title, several tabs. */
import type { Locator, Page } from '@playwright/test'
import type { Thread } from '@shinobi/contract/threads'
import { startThread, writePost, writePosts, type Board } from '../board.ts'
import {
  composerOf,
  enterThread,
  expect,
  frames,
  holdScripts,
  postOf,
  postsOf,
  repeatUntil,
  rowOf,
  say,
  test,
} from '../test.ts'

let threads = 0
/** A thread whose title no other test uses. */
async function startScroll(board: Board, posts: number): Promise<Thread> {
  const thread = await startThread(board, { title: `長い巻物 その${(threads += 1)}`, category: 'world' })
  await writePosts(board, thread._id, posts - 1)
  return thread
}

const openThread = (page: Page, board: Board, { _id }: Thread, place = ''): Promise<unknown> =>
  page.goto(`${board.url}/thread/${_id}${place}`)
const openList = (page: Page, board: Board): Promise<unknown> => page.goto(`${board.url}/categories/world`)

/** +n, or 既読, in the row of a thread. */
const markOf = (page: Page, { title }: Thread): Locator =>
  page
    .getByRole('listitem')
    .filter({ has: rowOf(page, title) })
    .locator('[data-unread]')

const lineOf = (page: Page): Locator => page.getByText('ここまで読んだ', { exact: true })
const topOf = (place: Locator): Promise<number> => place.evaluate((element) => element.getBoundingClientRect().top)

/** Reads post by post, so that `to` is the last one on screen. */
async function readOn(page: Page, from: number, to: number): Promise<void> {
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await page.evaluate(
    async ([first, last]) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done))
      // From a reader's touch on, the page holds no post in its place.
      dispatchEvent(new WheelEvent('wheel'))
      for (let number = first!; number <= last!; number += 1) {
        const post = () => document.getElementById(String(number))
        // The page loads what comes near.
        while (post() === null) await frame()
        post()!.scrollIntoView({ block: 'end' })
        await frame()
        await frame()
      }
    },
    [from, to],
  )
}

/** Leaves the thread for the list of its category, without the driver's scrolling to the link. */
async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: '国際' }).first().dispatchEvent('click')
  await expect(page).toHaveURL(/categories/)
}

test('a thread read to 480 of 960 has +480 in the list, +485 after five more posts, and opens at 481 @both', async ({
  page,
  board,
}) => {
  const thread = await startScroll(board, 960)
  await openThread(page, board, thread, '?after=450')
  await readOn(page, 452, 480)
  await leave(page)
  await expect(markOf(page, thread)).toHaveText('未読 +480')
  await writePosts(board, thread._id, 5)
  await repeatUntil(
    () => page.reload(),
    (patience) => expect(markOf(page, thread)).toHaveText('未読 +485', patience),
  )

  await rowOf(page, thread.title).click()
  await expect(lineOf(page)).toBeInViewport()
  await expect.poll(() => topOf(lineOf(page))).toBeLessThan(40)
  await expect(postOf(page, 481)).toBeInViewport()
  await expect(postOf(page, 480)).not.toBeInViewport({ ratio: 0.5 })
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}`)

  // Reading on does not move the line. The first screen may show more than ten posts, by the fonts.
  await readOn(page, 490, 510)
  await expect(postOf(page, 480).locator('xpath=..').getByText('ここまで読んだ')).toBeAttached()
  await leave(page)
  await expect(markOf(page, thread)).toHaveText('未読 +455')
})

test('a page loaded from its address goes to the first unread post, and a reload and Back return to the place @both', async ({
  page,
  board,
}) => {
  const thread = await startScroll(board, 180)
  await openThread(page, board, thread, '?after=50')
  await readOn(page, 52, 70)
  await openList(page, board)
  await expect(markOf(page, thread)).toHaveText('未読 +110')

  await openThread(page, board, thread)
  await expect.poll(() => topOf(lineOf(page))).toBeLessThan(40)
  await expect(postOf(page, 71)).toBeInViewport()

  await readOn(page, 80, 90)
  const place = await topOf(postOf(page, 90))
  await page.reload()
  await expect.poll(() => topOf(postOf(page, 90))).toBeCloseTo(place, -1)
  await leave(page)
  await page.goBack()
  await expect.poll(() => topOf(postOf(page, 90))).toBeCloseTo(place, -1)
})

test('a reload returns to the place also where the reader had gone to a number before', async ({ page, board }) => {
  const thread = await startScroll(board, 180)
  await openThread(page, board, thread)
  await readOn(page, 2, 120)
  await page.getByRole('button', { name: '抽出・移動' }).click()
  const tools = page.getByRole('dialog', { name: 'このスレッド' })
  await tools.getByLabel('番号').fill('70')
  await tools.getByRole('button', { name: '移動' }).click()
  await expect(page).toHaveURL(/#70$/)
  await expect(postOf(page, 70)).toBeInViewport()
  await readOn(page, 80, 90)
  await frames(page, 4)
  const place = await topOf(postOf(page, 90))
  await page.reload()
  await expect.poll(() => topOf(postOf(page, 90))).toBeCloseTo(place, -1)
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}#70`)
})

test('Back returns to the place although the browser’s database is busy', async ({ page, board }) => {
  const thread = await startScroll(board, 180)
  await openThread(page, board, thread, '?after=50')
  await readOn(page, 52, 70)
  await openThread(page, board, thread)
  await expect(postOf(page, 71)).toBeInViewport()
  await readOn(page, 80, 90)
  const place = await topOf(postOf(page, 90))
  await leave(page)
  await page.evaluate(async () => {
    const opening = indexedDB.open('shinobi')
    await new Promise((done) => (opening.onsuccess = done))
    const store = opening.result.transaction('threads', 'readwrite').objectStore('threads')
    const until = performance.now() + 2_000
    await new Promise((done) => {
      const goOn = () => {
        done(null)
        if (performance.now() < until) store.get('').onsuccess = goOn
      }
      store.get('').onsuccess = goOn
    })
  })
  await page.goBack()
  await expect(lineOf(page)).toBeAttached()
  await expect.poll(() => topOf(postOf(page, 90))).toBeCloseTo(place, -1)
})

test('a device that draws a frame in more than a second returns to the place, too', async ({ page, board }) => {
  test.slow()
  const thread = await startScroll(board, 180)
  await openThread(page, board, thread, '?after=50')
  await readOn(page, 52, 70)
  await openThread(page, board, thread)
  await expect.poll(() => topOf(lineOf(page))).toBeLessThan(40)
  await readOn(page, 80, 90)
  const place = await topOf(postOf(page, 90))

  await page.addInitScript(() => {
    const frame = requestAnimationFrame
    let slow = 8
    window.requestAnimationFrame = (draw) =>
      frame((time) => {
        const until = performance.now() + 1_300
        if ((slow -= 1) >= 0) while (performance.now() < until);
        draw(time)
      })
  })
  await page.reload()
  await expect(postOf(page, 90)).toBeAttached()
  await expect(postOf(page, 1)).not.toBeAttached()
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await frames(page, 60)
  await expect.poll(() => topOf(postOf(page, 90))).toBeCloseTo(place, -1)
})

test('an address with a number keeps its place, and 最初へ leads to post 1 @both', async ({
  page,
  board,
  isMobile,
}) => {
  const thread = await startScroll(board, 180)
  await openThread(page, board, thread, '?after=100')
  await readOn(page, 102, 120)
  await openThread(page, board, thread, '#12')
  await expect(postOf(page, 12)).toBeInViewport()
  await openThread(page, board, thread, '?after=50')
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBe(0)

  await openList(page, board)
  await rowOf(page, thread.title).click()
  await expect(lineOf(page)).toBeInViewport()
  // A narrow dock has it while open.
  if (isMobile) await composerOf(page).focus()
  await page.getByRole('link', { name: '最初へ' }).click()
  await expect(postOf(page, 1)).toBeInViewport()
  await expect(page.getByRole('heading', { level: 1 })).toBeInViewport()
  await page.goBack()
  await expect(postOf(page, 121)).toBeInViewport()
})

test('a thread read to its end opens there, and new posts appear under the line @both', async ({ page, board }) => {
  const thread = await startScroll(board, 60)
  await openThread(page, board, thread, '?last=1')
  await readOn(page, 50, 60)
  await openList(page, board)
  await expect(markOf(page, thread)).toHaveText('既読')
  await rowOf(page, thread.title).click()
  await expect(lineOf(page)).toBeInViewport()
  await expect(postOf(page, 60)).toBeInViewport()
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  // What comes near is laid out, and moves the end on.
  await frames(page, 4)
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
  const isCovered = await composerOf(page).evaluate(
    (composer, line) => {
      const { left, bottom } = line.getBoundingClientRect()
      const above = document.elementsFromPoint(left + 1, bottom - 1)
      return above.some((element) => element.contains(composer) && !element.contains(line))
    },
    await lineOf(page).elementHandle(),
  )
  expect(isCovered).toBe(false)
  await writePost(board, thread._id, '新しい段')
  await expect(postOf(page, 61)).toContainText('新しい段')
  expect(await topOf(postOf(page, 61))).toBeGreaterThanOrEqual(Math.floor(await topOf(lineOf(page))))
})

test('a first visit begins at post 1 without a line', async ({ page, board }) => {
  const thread = await startScroll(board, 120)
  await openList(page, board)
  await expect(rowOf(page, thread.title)).toBeVisible()
  await rowOf(page, thread.title).click()
  await expect(postOf(page, 1)).toBeInViewport()
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(lineOf(page)).toHaveCount(0)
})

test('a list in another tab follows what is read in this one', async ({ page, context, board }) => {
  const thread = await startScroll(board, 120)
  await openThread(page, board, thread)
  await readOn(page, 15, 20)
  const other = await context.newPage()
  await openList(other, board)
  await expect(markOf(other, thread)).toHaveText('未読 +100')
  await page.bringToFront()
  await readOn(page, 21, 30)
  await expect(markOf(other, thread)).toHaveText('未読 +90')
  await openThread(other, board, thread)
  await expect(postOf(other, 31)).toBeInViewport()
  await expect.poll(() => topOf(lineOf(other))).toBeLessThan(40)
  await other.close()
})

/** The first post that is on screen. */
const topPost = (page: Page): Promise<{ number: number; top: number }> =>
  page.evaluate(() => {
    const post = [...document.querySelectorAll('article[data-post]')].find(
      (article) => article.getBoundingClientRect().bottom > 0,
    )!
    return { number: Number(post.id), top: post.getBoundingClientRect().top }
  })

test('a reader who has scrolled before the script ran stays there @both', async ({ page, board }) => {
  const thread = await startScroll(board, 120)
  await openThread(page, board, thread, '?after=50')
  await readOn(page, 52, 80)
  const release = await holdScripts(page)
  await page.goto(`${board.url}/thread/${thread._id}`, { waitUntil: 'commit' })
  await expect(postOf(page, 20)).toBeAttached()
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await page.evaluate(() => scrollTo(0, 900))
  await frames(page, 4)
  const before = await topPost(page)
  release()
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect(postOf(page, 50)).toBeAttached()
  // Posts above get their real heights, and the browser keeps what is on screen in its place.
  expect(Math.abs((await topOf(postOf(page, before.number))) - before.top)).toBeLessThan(40)
})

test('a reader who opens a post and scrolls before the script runs stays there @both', async ({ page, board }) => {
  const thread = await startScroll(board, 40)
  const release = await holdScripts(page)
  await page.goto(`${board.url}/thread/${thread._id}#30`, { waitUntil: 'commit' })
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await expect(postOf(page, 30)).toBeInViewport()
  // The browser scrolls in steps, and stops short of the top by what posts above it grow meanwhile.
  await expect
    .poll(async () => {
      await page.keyboard.press('Home')
      await frames(page, 20)
      return page.evaluate(() => scrollY)
    })
    .toBe(0)
  release()
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await frames(page, 4)
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('the title counts new posts until they are read', async ({ page, board }) => {
  const thread = await startScroll(board, 40)
  await openThread(page, board, thread)
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await expect(page).toHaveTitle(`${thread.title} | 忍板`)
  await writePosts(board, thread._id, 2)
  await expect(page).toHaveTitle(`(2) ${thread.title} | 忍板`)
  await page.getByRole('button', { name: /新着 2 件/ }).click()
  await expect(page).toHaveTitle(`${thread.title} | 忍板`)
})

test('new posts stay counted while the reader looks at another part of the thread', async ({ page, board }) => {
  const thread = await startScroll(board, 180)
  await openThread(page, board, thread, '?after=100')
  await expect(page.getByText('自動更新中', { exact: true })).toBeVisible()
  await page.evaluate(() => scrollTo({ top: 400, behavior: 'instant' }))
  // The window reaches the end.
  await readOn(page, 140, 180)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await writePosts(board, thread._id, 2)
  await expect(page).toHaveTitle(`(2) ${thread.title} | 忍板`)
  await page.getByRole('button', { name: '抽出・移動' }).click()
  await page.getByRole('dialog', { name: 'このスレッド' }).getByRole('button', { name: '最初', exact: true }).click()
  await expect(postOf(page, 1)).toBeInViewport()
  await expect(postOf(page, 180)).toHaveCount(0)
  await expect(page).toHaveTitle(`(2) ${thread.title} | 忍板`)
  await page.getByRole('button', { name: /新着 2 件/ }).click()
  await expect(postOf(page, 182)).toBeInViewport()
  await expect(page).toHaveTitle(`${thread.title} | 忍板`)
})

test('marks in a list move nothing @both', async ({ page, board }) => {
  const thread = await startScroll(board, 12)
  await openThread(page, board, thread)
  await readOn(page, 2, 3)
  const release = await holdScripts(page)
  await page.goto(`${board.url}/categories/world`, { waitUntil: 'commit' })
  await expect(rowOf(page, thread.title)).toBeVisible()
  // The document has arrived to its end, and is drawn with its style sheets.
  await expect(page.getByRole('contentinfo')).toBeAttached()
  await frames(page, 4)
  const places = () =>
    page
      .getByRole('main')
      .getByRole('article')
      .evaluateAll((rows) => rows.slice(0, 8).map((row) => JSON.stringify(row.getBoundingClientRect())))
  const before = await places()
  release()
  await expect(markOf(page, thread)).toBeVisible()
  expect(await places()).toEqual(before)
})

test('own posts stay marked, also those that an earlier version remembered', async ({ page, board }) => {
  const thread = await startThread(board)
  const former = await writePost(board, thread._id, '前の版で書いた')
  await page.goto(`${board.url}/boot.js`)
  await page.evaluate((id) => localStorage.setItem('ownPosts', JSON.stringify([id, 'unknown'])), former._id)
  await enterThread(page, board, thread._id)
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  await say(page, 'この版で書いた')
  await expect(postOf(page, 3)).toContainText('自分の書き込み')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ownPosts'))).toBe('["unknown"]')
  await page.reload()
  await expect(postOf(page, 2)).toContainText('自分の書き込み')
  await expect(postOf(page, 3)).toContainText('自分の書き込み')
  await expect(postOf(page, 1)).not.toContainText('自分の書き込み')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('a thread begins at post 1, and lists have no marks', async ({ page, board }) => {
    const thread = await startScroll(board, 60)
    await openThread(page, board, thread)
    await expect(postsOf(page).first()).toHaveAttribute('id', '1')
    await expect(lineOf(page)).toHaveCount(0)
    await openList(page, board)
    await expect(rowOf(page, thread.title)).toBeVisible()
    await expect(markOf(page, thread)).toHaveCount(0)
  })
})

/** Notes the posts that are on screen in any frame of the pages that are opened from now on. */
const watchFrames = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const seen = new Set<string>()
    Object.assign(window, { seen })
    const look = () => {
      for (const post of document.querySelectorAll('article[data-post]')) {
        const { top, bottom } = post.getBoundingClientRect()
        if (bottom > 0 && top < innerHeight && post.checkVisibility({ visibilityProperty: true })) seen.add(post.id)
      }
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
const seenOn = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen])

test('post 1 is never painted on the way to the first unread post or to a number', async ({ page, board }) => {
  const thread = await startScroll(board, 160)
  await openThread(page, board, thread, '?after=50')
  await readOn(page, 52, 80)
  await openList(page, board)
  await expect(markOf(page, thread)).toHaveText('未読 +80')
  await watchFrames(page)
  for (const place of ['', '#120', '/120']) {
    await page.goto('about:blank')
    await openThread(page, board, thread, place)
    await expect(postOf(page, place === '' ? 81 : 120)).toBeInViewport()
    expect(await seenOn(page)).not.toContain('1')
    expect(await seenOn(page)).not.toContain('51')
    expect(await seenOn(page)).not.toContain('101')
  }
})

test('a thread that was never read is painted before its script, and an address with a number at that post', async ({
  page,
  board,
}) => {
  const thread = await startScroll(board, 120)
  const release = await holdScripts(page)
  await page.goto(`${board.url}/thread/${thread._id}`, { waitUntil: 'commit' })
  await expect(postOf(page, 1)).toBeVisible()
  await page.goto('about:blank')
  await page.goto(`${board.url}/thread/${thread._id}#80`, { waitUntil: 'commit' })
  await expect(page).toHaveURL(/after=50#80$/)
  await expect(postOf(page, 80)).toBeInViewport()
  release()
})
