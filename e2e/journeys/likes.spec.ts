import { LIKE_ANIMATION_MS, LIKE_FLAMES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Thread } from '@shinobi/contract/threads'
import type { Locator, Page } from '@playwright/test'
import { readPosts, signUp, startThread, writeFrom, writePost, type Board } from '../board.ts'
import {
  composerOf,
  expect,
  fillLogin,
  holdScripts,
  likeOf,
  logIn,
  postOf,
  repeatUntil,
  saidOnPage,
  scrollUntilThere,
  test,
  untilPressesCount,
} from '../test.ts'

const LIKE = /\/like$/

/** Accessible names of the button; its visually hidden parts are separated by spaces. */
const liked = (count: number) => new RegExp(`^天照 ?済み（ ?${count} ?件）$`)
const unliked = (count: number) => new RegExp(`^いいね（ ?${count} ?件）$`)

/** The row of a thread in a list */
const rowOf = (page: Page, id: string) => page.locator(`li[id="${id}"]`)
/** The like of the thread itself, on its page. */
const likeOfThread = (page: Page) =>
  likeOf(page.locator('main header').filter({ has: page.getByRole('heading', { level: 1 }) }))

const likesOf = async (board: Board, threadId: string) =>
  ((await (await fetch(`${board.url}/api/threads/${threadId}`)).json()) as { likes: number }).likes

/** The slip that opens when a visitor without a session presses the button. */
const slipOf = (page: Page) => page.getByRole('dialog', { name: 'ログインすると灯せます。' })

test('a member’s like in a list shows at once, then shows the server’s count, and can be undone @both', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await page.goto(board.url)
  const like = likeOf(rowOf(page, thread._id))
  await expect(like).toHaveAccessibleName(unliked(0))
  await expect(like).toHaveAttribute('aria-pressed', 'false')

  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(LIKE, async (route) => {
    await held
    await route.continue()
  })
  await like.click()
  await expect(like).toHaveAccessibleName(liked(1))
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await expect(like).toContainText('天照')
  expect(await likesOf(board, thread._id)).toBe(0)
  // The row is a link, but the button is not part of it.
  expect(new URL(page.url()).pathname).toBe('/')
  release()
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)

  await page.reload()
  await expect(like).toHaveAccessibleName(liked(1))
  await like.click()
  await expect(like).toHaveAccessibleName(unliked(0))
  await expect.poll(() => likesOf(board, thread._id)).toBe(0)
  // Counts in a page may be a second old.
  await repeatUntil(
    () => page.reload(),
    (patience) => expect(like).toHaveAccessibleName(unliked(0), patience),
  )
})

test('a like shows the likes of others too, in the list, its category and the thread', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board, { category: 'economy' })
  for (let index = 0; index < 2; index += 1) await (await signUp(board)).send('POST', `/api/threads/${thread._id}/like`)
  await logIn(context, board, await signUp(board))
  // A like corrects later answers for ten seconds, however slow the machine is.
  await page.clock.setFixedTime(Date.now())
  await page.goto(`${board.url}/categories/economy`)
  // The server may announce changes up to a second late.
  await page.route(`**/api/threads/${thread._id}`, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...((await response.json()) as Thread), likes: 2 } })
  })
  const like = likeOf(rowOf(page, thread._id))
  await like.click()
  await expect(like).toHaveAccessibleName(liked(3))
  await expect.poll(() => likesOf(board, thread._id)).toBe(3)
  await rowOf(page, thread._id).getByRole('link', { name: thread.title }).click()
  await expect(likeOfThread(page)).toHaveAccessibleName(liked(3))
  await page.goBack()
  await expect(like).toHaveAccessibleName(liked(3))
  // Without a socket the page of the thread asks again and again.
  await page.unrouteAll({ behavior: 'wait' })
})

test('likes of posts and of the thread are kept over a reload', async ({ page, context, board }) => {
  const thread = await startThread(board)
  for (const text of ['一つ目', '二つ目']) await writePost(board, thread._id, text)
  await logIn(context, board, await signUp(board))
  await page.goto(`${board.url}/thread/${thread._id}`)
  await likeOf(postOf(page, 2)).click()
  await likeOfThread(page).click()
  await expect(likeOf(postOf(page, 2))).toHaveAccessibleName(liked(1))
  await expect.poll(async () => (await readPosts(board, thread._id)).map((post) => post.likes)).toEqual([0, 1, 0])
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)
  await page.reload()
  await expect(likeOf(postOf(page, 2))).toHaveAccessibleName(liked(1))
  await expect(likeOf(postOf(page, 3))).toHaveAccessibleName(unliked(0))
  await expect(likeOfThread(page)).toHaveAccessibleName(liked(1))
  await expect(likeOf(postOf(page, 2))).toBeInViewport()
})

test('whatever is liked before the scripts have come is liked when they come', async ({ page, context, board }) => {
  const thread = await startThread(board)
  for (const text of ['一つ目', '二つ目']) await writePost(board, thread._id, text)
  await logIn(context, board, await signUp(board))
  const { promise: pressed, resolve: letScriptsCome } = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await pressed
    await route.continue()
  })
  await page.goto(`${board.url}/thread/${thread._id}`, { waitUntil: 'commit' })
  await likeOf(postOf(page, 2)).click()
  await likeOf(postOf(page, 3)).dblclick()
  await page.getByText('一つ目').click()
  letScriptsCome()
  await expect(likeOf(postOf(page, 2))).toHaveAccessibleName(liked(1))
  await expect(likeOf(postOf(page, 3))).toHaveAccessibleName(liked(1))
  await expect.poll(async () => (await readPosts(board, thread._id)).map((post) => post.likes)).toEqual([0, 1, 1])
})

test('a failed like is reverted, and a notice shows the server’s message, else a fixed one', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await writePost(board, thread._id, '一つ目')
  await logIn(context, board, await signUp(board))
  await page.goto(`${board.url}/thread/${thread._id}`)
  const ofPost = likeOf(postOf(page, 2))
  /** Presses a button, and waits for a notice, which disappears by itself. */
  const pressAndHear = async (button: Locator, words: string) => {
    const told = saidOnPage(page, words)
    await button.click()
    await told
  }

  await page.route(LIKE, (route) =>
    route.fulfill({ status: 429, json: { message: messages.likes_limited, code: 'too_many_requests' } }),
  )
  await pressAndHear(ofPost, messages.likes_limited)
  await expect(ofPost).toHaveAccessibleName(unliked(0))
  await expect(page.getByRole('alert')).toBeHidden()

  await page.unroute(LIKE)
  await page.route(LIKE, (route) => route.abort())
  await pressAndHear(ofPost, messages.post_like_failed)
  await expect(ofPost).toHaveAccessibleName(unliked(0))
  await pressAndHear(likeOfThread(page), messages.thread_like_failed)
  await expect(likeOfThread(page)).toHaveAccessibleName(unliked(0))

  await page.unroute(LIKE)
  await ofPost.click()
  await expect.poll(async () => (await readPosts(board, thread._id))[1]?.likes).toBe(1)
  await page.route(LIKE, (route) => route.abort())
  await pressAndHear(ofPost, messages.post_unlike_failed)
  await expect(ofPost).toHaveAccessibleName(liked(1))
})

test('a press before its code has loaded waits for it, and one whose code fails to load shows an error', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  const code = /like-handler/
  await page.route(code, (route) => route.abort())
  await page.goto(board.url)
  const like = likeOf(rowOf(page, thread._id))
  const told = saidOnPage(page, messages.like_outer_failed)
  await like.click()
  await told
  await expect(like).toHaveAccessibleName(unliked(0))

  await page.unroute(code)
  await page.route(code, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.reload()
  await like.click()
  await expect(like).toHaveAccessibleName(liked(1))
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)
})

test('a like pressed before any script has loaded counts when it has', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  const runScripts = await holdScripts(page)
  await page.goto(board.url, { waitUntil: 'commit' })
  const like = likeOf(rowOf(page, thread._id))
  await like.click()
  await expect(like).toHaveAccessibleName(unliked(0))
  runScripts()
  await expect(like).toHaveAccessibleName(liked(1))
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)
})

test('every press counts, however fast, and the server ends with the state of the last one', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await page.goto(board.url)
  const like = likeOf(rowOf(page, thread._id))
  const hammer = (presses: number) =>
    like.evaluate((button: HTMLElement, count) => {
      for (let press = 0; press < count; press += 1) button.click()
    }, presses)
  await untilPressesCount(page)
  const over = page.waitForResponse((answer) => LIKE.test(answer.url()) && answer.request().method() === 'DELETE')
  await like.dblclick()
  await expect(like).toHaveAccessibleName(unliked(0))
  await over
  expect(await likesOf(board, thread._id)).toBe(0)
  await hammer(5)
  await expect(like).toHaveAccessibleName(liked(1))
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)
})

test('a like that is undone while leaving the page is undone on the server', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  // The answer to the first press arrives after its page has gone.
  await page.addInitScript(() => {
    const { fetch } = window
    window.fetch = async (...call) => {
      const answer = await fetch(...call)
      return call[1]?.method === 'POST' ? new Promise(() => {}) : answer
    }
  })
  await page.goto(board.url)
  await untilPressesCount(page)
  await likeOf(rowOf(page, thread._id)).dblclick()
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)
  await page.goto(`${board.url}/terms`)
  await expect.poll(() => likesOf(board, thread._id)).toBe(0)
})

test('quick presses end in the last state, with one request at a time', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await page.goto(board.url)
  const sent: string[] = []
  let answer = () => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  await page.route(LIKE, async (route) => {
    sent.push(route.request().method())
    if (sent.length === 1) await answered
    await route.continue()
  })
  const like = likeOf(rowOf(page, thread._id))
  for (const name of [liked(1), unliked(0), liked(1), unliked(0)]) {
    await like.click()
    await expect(like).toHaveAccessibleName(name)
  }
  expect(sent).toEqual(['POST'])
  answer()
  await expect.poll(() => sent).toEqual(['POST', 'DELETE'])
  await expect.poll(() => likesOf(board, thread._id)).toBe(0)
  await expect(like).toHaveAccessibleName(unliked(0))
})

test('another tab of the same member shows a like at once', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  const other = await context.newPage()
  await other.goto(board.url)
  await page.goto(board.url)
  // Its liked ids have been fetched, so it is subscribed.
  await other.waitForLoadState('networkidle')
  await likeOf(rowOf(page, thread._id)).click()
  await expect(likeOf(rowOf(other, thread._id))).toHaveAccessibleName(liked(1))
  await likeOf(rowOf(page, thread._id)).click()
  await expect(likeOf(rowOf(other, thread._id))).toHaveAccessibleName(unliked(0))
})

test('everybody in the thread sees the count change, and the layout does not shift @both', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  for (let index = 2; index <= 20; index += 1) await writePost(board, thread._id, `読みもの${index}\n二行目`)
  const visitor = await context.browser()!.newPage()
  await visitor.goto(`${board.url}/thread/${thread._id}`)
  await expect(visitor.getByText('自動更新中', { exact: true })).toBeVisible()
  await visitor.evaluate(() => window.scrollTo(0, 200))
  const top = () => postOf(visitor, 5).evaluate((post) => post.getBoundingClientRect().top)
  const before = await top()

  await logIn(context, board, await signUp(board))
  await page.goto(`${board.url}/thread/${thread._id}`)
  await likeOf(postOf(page, 3)).click()
  await likeOfThread(page).click()
  await expect(likeOf(postOf(visitor, 3))).toHaveAccessibleName(unliked(1))
  await expect(likeOfThread(visitor)).toHaveAccessibleName(unliked(1))
  expect(await top()).toBe(before)
  await visitor.close()
})

test('a press without a session opens a slip on the same page, which the keyboard can enter and leave @both', async ({
  page,
  board,
}) => {
  const thread = await startThread(board)
  await page.goto(board.url)
  const like = likeOf(rowOf(page, thread._id))
  const slip = slipOf(page)
  await like.focus()
  await page.keyboard.press('Enter')
  await expect(slip.getByRole('link', { name: 'ログイン' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(slip.getByRole('link', { name: '会員登録' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(slip).toBeHidden()
  await expect(like).toBeFocused()
  expect(new URL(page.url()).pathname).toBe('/')

  await like.click()
  await expect(slip).toBeInViewport({ ratio: 1 })
  await slip.getByRole('button', { name: '閉じる' }).click()
  await expect(slip).toBeHidden()
  await expect(like).toBeFocused()
  await like.click()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(slip).toBeHidden()
})

test('a visitor’s press on a post takes effect after the log-in, back at the post', async ({ page, board }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const thread = await startThread(board)
  for (let index = 2; index <= 30; index += 1) await writePost(board, thread._id, `読みもの${index}\n二行目`)
  const member = await signUp(board)
  await page.goto(`${board.url}/thread/${thread._id}`)
  const like = likeOf(postOf(page, 24))
  await like.click()
  await slipOf(page).getByRole('link', { name: 'ログイン' }).click()
  // They burn for two seconds only, in which a busy browser may draw no frame.
  const burning = page.waitForFunction(
    (flames) =>
      new Promise<true>((resolve) => {
        const look = () => {
          if (document.querySelectorAll('[id="24"] [data-burning] svg').length === flames) resolve(true)
        }
        new MutationObserver(look).observe(document, { subtree: true, childList: true })
        look()
      }),
    LIKE_FLAMES,
  )
  await fillLogin(page, member.user.name, member.password)
  await expect(page).toHaveURL(`${board.url}/thread/${thread._id}#24`)
  await expect(postOf(page, 24)).toBeInViewport()
  await burning
  await expect(like).toHaveAccessibleName(liked(1))
  await expect.poll(async () => (await readPosts(board, thread._id))[23]?.likes).toBe(1)
  await expect(composerOf(page)).toBeVisible()

  // Only once: neither a reload nor the next press repeats it.
  await like.click()
  await expect(like).toHaveAccessibleName(unliked(0))
  await expect.poll(async () => (await readPosts(board, thread._id))[23]?.likes).toBe(0)
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expect(like).toHaveAccessibleName(unliked(0))
})

test('a visitor’s press on a row further down leads through registering back to that row @both', async ({
  page,
  board,
}) => {
  const threads = []
  for (let index = 0; index < 60; index += 1)
    threads.push(await startThread(board, { title: `並びの中の${index}番`, category: 'rant' }))
  const wanted = threads[4]!
  await page.goto(`${board.url}/categories/rant`)
  const row = rowOf(page, wanted._id)
  // It is on the second page of the list.
  await scrollUntilThere(page, row)
  await row.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const top = () => row.evaluate((element) => element.getBoundingClientRect().top)
  await likeOf(row).click()
  const before = await top()
  await slipOf(page).getByRole('link', { name: '会員登録' }).click()
  await page.getByLabel('会員名').fill('灯す人')
  await page.getByLabel('メールアドレス').fill('tomosu@example.jp')
  await page.getByLabel('パスワード', { exact: true }).fill('忍びの合言葉 42')
  await page.getByRole('main').getByRole('button', { name: '登録する' }).click()
  await expect(page).toHaveURL(`${board.url}/categories/rant#${wanted._id}`)
  await expect(likeOf(row)).toHaveAccessibleName(liked(1))
  await expect.poll(() => likesOf(board, wanted._id)).toBe(1)
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(40)
})

test('earlier likes of the member stay after such a log-in, and a closed slip has no effect', async ({
  page,
  board,
}) => {
  const [thread, other] = [await startThread(board), await startThread(board)]
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/like`)
  await page.goto(board.url)
  await likeOf(rowOf(page, other._id)).click()
  await slipOf(page).getByRole('button', { name: '閉じる' }).click()
  await likeOf(rowOf(page, thread._id)).click()
  await slipOf(page).getByRole('link', { name: 'ログイン' }).click()
  await fillLogin(page, member.user.name, member.password)
  await expect(page).toHaveURL(`${board.url}/#${thread._id}`)
  await expect(likeOf(rowOf(page, thread._id))).toHaveAccessibleName(liked(1))
  await page.waitForLoadState('networkidle')
  await expect(likeOf(rowOf(page, thread._id))).toHaveAccessibleName(liked(1))
  await expect(likeOf(rowOf(page, other._id))).toHaveAccessibleName(unliked(0))
  expect(await likesOf(board, thread._id)).toBe(1)
  expect(await likesOf(board, other._id)).toBe(0)
})

test('a press whose log-in was abandoned has no effect later', async ({ page, context, board }) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await page.goto(board.url)
  await likeOf(rowOf(page, thread._id)).click()
  await slipOf(page).getByRole('link', { name: 'ログイン' }).click()
  await expect(page.getByLabel('会員名')).toBeVisible()
  await page.goBack()
  await expect(likeOf(rowOf(page, thread._id))).toBeVisible()
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem('likeWish'))).toBeNull()
  await logIn(context, board, member)
  await page.reload()
  await page.waitForLoadState('networkidle')
  await expect(likeOf(rowOf(page, thread._id))).toHaveAccessibleName(unliked(0))
  expect(await likesOf(board, thread._id)).toBe(0)
})

test('eight flames burn for two seconds, and smoke shows that a like was undone', async ({ page, context, board }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await page.clock.install()
  await page.goto(board.url)
  const row = rowOf(page, thread._id)
  await expect(likeOf(row)).toHaveAccessibleName(unliked(0))
  await page.waitForLoadState('networkidle')
  await page.clock.pauseAt(Date.now() + 60_000)
  const flames = row.locator('[data-burning] svg')
  await likeOf(row).click()
  // Their script loads late: the time runs from when they appear.
  await expect(flames).toHaveCount(LIKE_FLAMES)
  await page.clock.runFor(LIKE_ANIMATION_MS - 100)
  await expect(flames).toHaveCount(LIKE_FLAMES)
  await page.clock.runFor(100)
  await expect(flames).toHaveCount(0)
  await likeOf(row).click()
  await expect(flames).toHaveCount(1)
  await page.clock.runFor(600)
  await expect(flames).toHaveCount(0)
})

test('reduced motion shows no flames', async ({ page, context, board }) => {
  const thread = await startThread(board)
  await logIn(context, board, await signUp(board))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(board.url)
  const like = likeOf(rowOf(page, thread._id))
  await like.click()
  await expect(like).toHaveAccessibleName(liked(1))
  await expect(page.locator('[data-burning]')).toHaveCount(0)
  await expect.poll(() => likesOf(board, thread._id)).toBe(1)

  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.evaluate(() => localStorage.setItem('motion', 'off'))
  await page.reload()
  await expect(like).toHaveAccessibleName(liked(1))
  await like.click()
  await like.click()
  await expect(like).toHaveAccessibleName(liked(1))
  await expect(page.locator('[data-burning]')).toHaveCount(0)
})

test('own likes are marked without a layout shift, and the keyboard likes as well @both', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/like`)
  await logIn(context, board, member)
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/threads/liked', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(board.url)
  const row = rowOf(page, thread._id)
  await expect(likeOf(row)).toHaveAccessibleName(unliked(1))
  const places = () =>
    row.locator('time, h2, b').evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect().x))
  const before = await places()
  release()
  await expect(likeOf(row)).toHaveAccessibleName(liked(1))
  expect(await places()).toEqual(before)

  await likeOf(row).focus()
  await page.keyboard.press('Enter')
  await expect(likeOf(row)).toHaveAccessibleName(unliked(0))
  await page.keyboard.press('Space')
  await expect(likeOf(row)).toHaveAccessibleName(liked(1))
  expect(new URL(page.url()).pathname).toBe('/')
})

test('liked ids that fail to load count as none, and nobody is redirected', async ({ page, context, board }) => {
  const thread = await startThread(board)
  const member = await signUp(board)
  await member.send('POST', `/api/threads/${thread._id}/like`)
  await logIn(context, board, member)
  await page.route('**/api/threads/liked', (route) => route.fulfill({ status: 500, json: {} }))
  await page.goto(board.url)
  await page.waitForLoadState('networkidle')
  await expect(likeOf(rowOf(page, thread._id))).toHaveAccessibleName(unliked(1))
  await expect(page.getByRole('alert')).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/')
})

test('likes of a page as the server rendered it count for the posts that were pressed', async ({
  page,
  context,
  board,
}) => {
  const thread = await startThread(board)
  for (const name of ['名無し', 'かえで']) await writeFrom(board, '127.0.0.1', thread._id, { content: '燃えろ', name })
  await logIn(context, board, await signUp(board))
  await page.goto(`${board.url}/thread/${thread._id}`)
  for (const [number, name] of [
    [2, '名無し'],
    [3, 'かえで'],
  ] as const) {
    await likeOf(postOf(page, number)).click()
    await expect(likeOf(postOf(page, number))).toHaveAccessibleName(liked(1))
    await expect(postOf(page, number)).toContainText(name)
  }
  await expect.poll(async () => (await readPosts(board, thread._id)).map(({ likes }) => likes)).toEqual([0, 1, 1])
})
