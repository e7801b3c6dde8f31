/** Fixtures and helpers of all journeys: a board per worker, and steps that visitors often take. */
import { test as base, expect, type BrowserContext, type Locator, type Page } from '@playwright/test'
import { messages } from '@shinobi/contract/messages'
import { openBoard, type Board, type Member } from './board.ts'

export const test = base.extend<{ complaints: string[]; ownBoard: Board; prefetches: boolean }, { board: Board }>({
  /**
   * Whether the page fetches threads before they are opened. Other journeys delay and count the
   * calls of what they open.
   */
  prefetches: [false, { option: true }],
  /** An empty board per test, which the test may kill. */
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
  ownBoard: async ({}, provide) => {
    const board = await openBoard()
    await provide(board)
    await board.close()
  },
  board: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
    async ({}, provide) => {
      const board = await openBoard()
      await provide(board)
      await board.close()
    },
    { scope: 'worker' },
  ],
  /** Errors of the page (hydration, CSP, scripts); no journey expects any. */
  complaints: [
    async ({ page, context, prefetches }, provide) => {
      if (!prefetches) await saveData(context)
      const complaints: string[] = []
      listen(page, complaints)
      await provide(complaints)
      expect(complaints).toEqual([])
    },
    { auto: true },
  ],
})

/** As the browser of a visitor who has chosen to save data. */
export const saveData = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))

/**
 * Console messages about a session that is over, or could not be ended (docs/product.md#session).
 */
const SESSION_OVER: ReadonlySet<string> = new Set([
  messages.token_refresh_failed,
  messages.verify_failed,
  messages.logout_failed,
])

/**
 * Failed requests are part of some journeys (a killed board); every other console error is a bug.
 */
function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return
    if (
      /Failed to load resource|WebSocket connection to|WebSocket is already in CLOSING|net::ERR_|Service Worker registration blocked|An unknown error occurred when fetching the script/.test(
        message.text(),
      )
    )
      return
    if (!SESSION_OVER.has(message.text())) complaints.push(message.text())
  })
}

/** Resolves when the page has logged this message; call it before the action that logs it. */
export const saidOnConsole = (page: Page, message: string): Promise<unknown> =>
  page.waitForEvent('console', (said) => said.text() === message)

/**
 * Resolves when a notice has said this, however briefly; call it before what causes it. It observes
 * the page, because a busy browser may draw no frame while a notice is there.
 */
export const saidOnPage = (page: Page, words: string): Promise<unknown> =>
  page.waitForFunction(
    (said) =>
      new Promise<true>((resolve) => {
        const look = () => {
          const notices = [...document.querySelectorAll('[role=alert], [role=status]')]
          if (!notices.some((notice) => notice.textContent.includes(said) && notice.checkVisibility())) return
          observer.disconnect()
          resolve(true)
        }
        const observer = new MutationObserver(look)
        observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
        look()
      }),
    words,
    // From before what causes it, which takes its own time.
    { timeout: 0 },
  )

/**
 * Resolves when the scripts run: before, a link loads a page, and what is typed or chosen has no
 * effect.
 */
export const untilScripted = (page: Page): Promise<void> =>
  expect(page.locator('button[aria-label="メニュー"]')).toBeAttached()

/** Until the script takes the presses, any number of them on one button counts as one. */
export const untilPressesCount = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => !('earlyPresses' in window))

/**
 * Repeats an act until it has had its effect, and waits longer each time: on a busy machine one
 * that undoes the last one, such as a reload, would otherwise never have any.
 * @param look expects the effect
 */
export async function repeatUntil(
  act: () => Promise<unknown>,
  look: (patience: { readonly timeout: number }) => Promise<unknown>,
): Promise<void> {
  for (let timeout = 1_000; ; timeout *= 2) {
    await act()
    try {
      await look({ timeout })
      return
    } catch (error) {
      if (timeout > 60_000) throw error
    }
  }
}

/** Scrolls to the end, which loads the next part, until something is there. */
export const scrollUntilThere = (page: Page, wanted: Locator): Promise<void> =>
  expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return wanted.count()
    })
    .toBe(1)

/** Lets the page draw so many frames: what came near the screen has been laid out then. */
export const frames = (page: Page, count: number): Promise<void> =>
  page.evaluate(async (left) => {
    for (let frame = 0; frame < left; frame += 1) await new Promise((done) => requestAnimationFrame(done))
  }, count)

/** Opens a thread and takes a nickname, as a visitor does. */
export async function enterThread(page: Page, board: Board, threadId: string, nickname?: string): Promise<void> {
  await page.goto(`${board.url}/thread/${threadId}`)
  const dialog = page.getByRole('dialog', { name: 'ニックネームを決める' })
  if (nickname !== undefined) await dialog.getByLabel('ニックネーム').fill(nickname)
  await dialog.getByRole('button', { name: 'この名前で書き込む' }).click()
  await expect(dialog).toBeHidden()
  // It took the focus at the press, and is open now.
  await expect(composerOf(page)).toBeFocused()
}

/** How far the page has stored that a thread was read; 0 before it has opened its database. */
export const readThrough = (page: Page, threadId: string): Promise<number> =>
  page.evaluate(async (id) => {
    // Opened here first, the database would have no stores, and the page would add none.
    if (!(await indexedDB.databases()).some(({ name }) => name === 'shinobi')) return 0
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('shinobi')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const record = await new Promise<{ readThrough: number } | undefined>((resolve, reject) => {
      const request = database.transaction('threads').objectStore('threads').get(id)
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    database.close()
    return record?.readThrough ?? 0
  }, threadId)

/**
 * Logs a member in over the API: the browser then has the session's cookies and a copy of the user,
 * as after any log-in.
 */
export async function logIn(context: BrowserContext, board: Board, { user, password }: Member): Promise<void> {
  const answer = await context.request.post(`${board.url}/auth/login`, {
    headers: { origin: board.url },
    data: { username: user.name, password },
  })
  if (!answer.ok()) throw new Error(`the log-in was refused: ${await answer.text()}`)
  const page = await context.newPage()
  await page.goto(`${board.url}/boot.js`)
  await page.evaluate((copy) => localStorage.setItem('user', copy), JSON.stringify(user))
  await page.close()
}

/** Logs in on /login, which the page shows. */
export async function fillLogin(page: Page, name: string, password: string): Promise<void> {
  await page.getByLabel('会員名').fill(name)
  await page.getByLabel('パスワード', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'ログイン', exact: true }).click()
}

/** Delays the page's scripts, as a slow connection does, until the returned function is called. */
export const holdScripts = (page: Page): Promise<() => void> => hold(page, '**/assets/*.js')

/** Delays the page's requests to a URL until the returned function is called. */
export async function hold(page: Page, url: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** The state after fifteen minutes: the access token is gone, the session is not. */
export const expireAccess = (context: BrowserContext): Promise<void> => context.clearCookies({ name: 'access' })

export const composerOf = (page: Page): Locator => page.getByRole('textbox', { name: '書き込みの内容' })

/** Writes and sends with the button, which works on every device. */
export async function say(page: Page, text: string): Promise<void> {
  await composerOf(page).fill(text)
  await page.getByRole('button', { name: '送信', exact: true }).click()
}

/**
 * Opens a thread as a member without a socket and without synchronising the notebook, and waits for
 * all requests about the member: the next one that needs the session is the test's.
 */
export async function openWithoutLine(page: Page, board: Board, threadId: string, { user }: Member): Promise<void> {
  await page.routeWebSocket(/socket\.io/, (socket) => socket.close())
  await page.addInitScript(() => localStorage.setItem('notebookSync', 'off'))
  const asked = ['/api/threads/liked', `/api/threads/${threadId}/posts/liked`].map((path) =>
    page.waitForResponse((response) => response.url() === board.url + path),
  )
  await page.goto(`${board.url}/thread/${threadId}`)
  await expect(page.getByText(`${user.name} として書き込む`)).toBeVisible()
  await Promise.all(asked)
  await page.waitForLoadState('networkidle')
}

/** The posts on the screen. */
export const postsOf = (page: Page): Locator =>
  page.getByRole('group', { name: '書き込み', exact: true }).getByRole('article')

/** One post by its number. */
export const postOf = (page: Page, number: number): Locator => page.locator(`[id="${number}"]`)

/** The menu of a post's actions (返信, リンクをコピー, 通報, 管理), opened by the post's number. */
export async function openMenu(page: Page, number: number): Promise<Locator> {
  const menu = page.getByRole('dialog', { name: `${number}の操作` })
  // Before the script runs, the number is a link to the post.
  await untilPressesCount(page)
  await postOf(page, number)
    .getByRole('link', { name: String(number), exact: true })
    .click()
  await expect(menu).toBeVisible()
  return menu
}

/** New posts can be found within a second; `path` is that of a search for threads. */
export const untilFound = (board: Board, path: string): Promise<void> =>
  expect.poll(async () => (await (await fetch(board.url + path)).text()).includes('"parts"')).toBe(true)

/** A thread's row in a list by its title; trending blocks beside the list may name it too. */
export const rowOf = (page: Page, title: string): Locator =>
  page.getByRole('article').getByRole('link', { name: title, exact: true })

/** The like button of a row, a post or the heading of a thread. */
export const likeOf = (place: Locator): Locator => place.getByRole('button', { name: /いいね|天照/ })

export { expect }
