/**
 * Notices while no page of the board is open: the board encrypts and sends them to a push service
 * on this machine, and the browser's real service worker gets what that has decrypted. A browser
 * without a screen reaches no push service and shows no notices, so tests stand in for both: the
 * page's subscription is one of our service, and the worker's notices are listed.
 */
import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test'
import type { PushMessage } from '@shinobi/contract/push'
import sharp from 'sharp'
import {
  openPushService,
  type PushService,
  type Subscription,
} from '../../apps/server/src/testing/outside/push-service.ts'
import { openBoard, startThread, writePost, type Board } from '../board.ts'
import { enterThread, expect, holdScripts, postOf, readThrough, rowOf, say, test as base } from '../test.ts'

const test = base.extend<{ service: PushService<PushMessage>; board: Board }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
  service: async ({}, provide) => {
    const service = await openPushService<PushMessage>()
    await provide(service)
    await service.close()
  },
})
test.use({ serviceWorkers: 'allow' })

const settings = (page: Page) => page.getByRole('region', { name: '閉じていても知らせる' })
const mainSwitch = (page: Page) => settings(page).getByRole('switch', { name: '閉じていても知らせる' })

/** Gives the pages of a context a subscription, as the browser's push service does. */
async function subscribe(context: BrowserContext, { url }: Board, subscription: Subscription): Promise<void> {
  await context.grantPermissions(['notifications'], { origin: url })
  await context.addInitScript((given) => {
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    const made = {
      endpoint: given.endpoint,
      toJSON: () => given,
      unsubscribe: async () => {
        localStorage.removeItem('subscribed')
        return true
      },
    }
    const withKey = (key: string) => ({
      ...made,
      options: {
        applicationServerKey: Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
          char.charCodeAt(0),
        ).buffer,
      },
    })
    PushManager.prototype.getSubscription = async () => {
      const key = localStorage.getItem('subscribed')
      return key === null ? null : (withKey(key) as unknown as PushSubscription)
    }
    PushManager.prototype.subscribe = async (options) => {
      const key = String(options!.applicationServerKey)
      localStorage.setItem('subscribed', key)
      return withKey(key) as unknown as PushSubscription
    }
  }, subscription)
}

/** Delivers messages to the service worker, from a tab that shows nothing of the board. */
async function openDelivery(context: BrowserContext, { url }: Board) {
  const empty = await context.newPage()
  const session: CDPSession = await context.newCDPSession(empty)
  const { promise, resolve } = Promise.withResolvers<string>()
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const ours = registrations.find(({ scopeURL, isDeleted }) => scopeURL.startsWith(url) && !isDeleted)
    if (ours !== undefined) resolve(ours.registrationId)
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await promise
  return (message: PushMessage) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: url, registrationId, data: JSON.stringify(message) })
}

interface Shown {
  readonly title: string
  readonly body: string
  readonly tag: string
  /** Where a press leads. */
  readonly data: string
}

/** What the worker would show on the visitor's screen, and presses of it. */
async function watchScreen(context: BrowserContext, { url }: Board) {
  const worker: Worker = context.serviceWorkers().find((each) => each.url() === `${url}/sw.js`)!
  await worker.evaluate(() => {
    const scope = globalThis as unknown as {
      shown: Map<string, Shown>
      silent: number
      opened: string[]
      Clients: { prototype: object }
    }
    scope.shown = new Map()
    scope.silent = 0
    scope.opened = []
    Object.assign(ServiceWorkerRegistration.prototype, {
      async showNotification(title: string, { body, tag, data, silent }: Shown & { silent: boolean }) {
        scope.shown.set(tag, { title, body, tag, data })
        if (silent) scope.silent += 1
      },
      getNotifications: async ({ tag }: { tag: string }) =>
        [...scope.shown.values()]
          .filter((notice) => notice.tag === tag)
          .map((notice) => ({ ...notice, close: () => scope.shown.delete(tag) })),
    })
    // Windows open, and get the focus, by a press only.
    Object.assign(scope.Clients.prototype, { openWindow: async (opened: string) => scope.opened.push(opened) })
    Object.assign((globalThis as unknown as { WindowClient: { prototype: object } }).WindowClient.prototype, {
      focus: async () => {},
    })
  })
  type Scope = { shown: Map<string, Shown>; silent: number; opened: string[] }
  return {
    shown: () => worker.evaluate(() => [...(globalThis as unknown as Scope).shown.values()]),
    /** How many were shown and taken away again, as browsers demand that something is shown. */
    silent: () => worker.evaluate(() => (globalThis as unknown as Scope).silent),
    opened: () => worker.evaluate(() => (globalThis as unknown as Scope).opened),
    /** An event that only the system can make. */
    tell: (type: string, details: object) =>
      worker.evaluate(
        ([name, more]) => {
          const made = Reflect.construct((globalThis as unknown as { ExtendableEvent: typeof Event }).ExtendableEvent, [
            name,
          ])
          dispatchEvent(Object.assign(made, more))
        },
        [type, details] as const,
      ),
    press: (notice: Shown) =>
      worker.evaluate((pressed) => {
        const { ExtendableEvent: Made, shown } = globalThis as unknown as Scope & { ExtendableEvent: typeof Event }
        const notification = { ...pressed, close: () => shown.delete(pressed.tag) }
        dispatchEvent(Object.assign(new Made('notificationclick'), { notification }))
      }, notice),
  }
}

test('an answer is told while the tab is closed, without a word of it', async ({ context, service }) => {
  const board = await openBoard({ PUSH_SERVICES: service.url })
  const subscription = service.subscribe()
  await subscribe(context, board, subscription)
  const thread = await startThread(board, { title: '秘密の相談' })
  const page = await context.newPage()
  await page.goto(`${board.url}/notebook?list=alerts`)
  await mainSwitch(page).click()
  await expect(mainSwitch(page)).toHaveAttribute('aria-checked', 'true')
  await settings(page).getByRole('switch', { name: '知らせない時間を決める' }).click()
  await settings(page).getByRole('button', { name: '試しに送る' }).click()
  await expect(settings(page).getByText('送りました。')).toBeVisible()
  await expect.poll(() => service.deliveries.map(({ message }) => message.tag)).toEqual(['test'])

  // What the browser writes is registered some seconds later, and then the tab is closed.
  await enterThread(page, board, thread._id)
  const registered = page.waitForRequest(
    (request) =>
      request.method() === 'PUT' &&
      request.url().endsWith('/api/push/registration') &&
      (request.postDataJSON() as { threads: { ownPosts: number[] }[] }).threads[0]?.ownPosts[0] === 2,
  )
  await say(page, 'こっそり聞きたいことがあります')
  await expect(postOf(page, 2)).toContainText('こっそり聞きたいことがあります')
  expect((await (await registered).response())?.status()).toBe(200)
  // The page notes it after the answer, and is closed soon.
  const noted = () => page.evaluate(async () => (await caches.match('/push-registration'))?.text())
  await expect.poll(noted).toContain('"ownPosts":[2]')
  const screen = await watchScreen(context, board)
  const deliver = await openDelivery(context, board)
  await page.close()

  await writePost(board, thread._id, '>>2 恥ずかしい答え')
  // The board sends some twenty seconds after an event.
  await expect.poll(() => service.deliveries.length).toBe(2)
  const { message } = service.deliveries[1]!
  await deliver(message)
  const notice = {
    ...{ title: '忍板', body: 'あなたの書き込みに返信がありました。', tag: thread._id },
    data: `/thread/${thread._id}/3`,
  }
  await expect.poll(screen.shown).toEqual([notice])

  // A press opens the answer, in a new tab while none shows the thread.
  await screen.press(notice)
  await expect.poll(screen.opened).toEqual([`${board.url}${notice.data}`])
  expect(await screen.shown()).toEqual([])
  const reader = await context.newPage()
  await reader.goto(`${board.url}${notice.data}`)
  await expect(postOf(reader, 3)).toContainText('恥ずかしい答え')
  await expect(postOf(reader, 3)).toBeInViewport()

  // Nothing is shown for what was read, nor while a page is on screen.
  await deliver(message)
  await deliver({ ...message, number: 1_000 })
  await expect.poll(screen.silent).toBe(2)
  await expect.poll(() => readThrough(reader, thread._id)).toBe(3)
  await reader.goto('about:blank')
  await deliver(message)
  await expect.poll(screen.silent).toBe(3)
  await expect.poll(screen.shown).toEqual([])
  await deliver({ ...message, number: 1_000 })
  await expect.poll(screen.shown).toEqual([notice])

  // A tab that shows the thread goes to the answer, and keeps the picture that was chosen there.
  await reader.goto(`${board.url}/thread/${thread._id}#1`)
  const create = { width: 40, height: 30, channels: 3, background: 'navy' } as const
  const picture = await sharp({ create }).png().toBuffer()
  await reader
    .locator('[data-dock] input[type=file]')
    .setInputFiles({ name: 'moon.png', mimeType: 'image/png', buffer: picture })
  const chosen = reader.locator('[data-dock]').getByRole('button', { name: '画像を外す' })
  await expect(chosen).toBeVisible()
  await screen.press(notice)
  await expect(reader).toHaveURL(/#3$/)
  await expect(postOf(reader, 3)).toBeInViewport()
  await expect(chosen).toBeVisible()
  // One whose script has not run yet is loaded.
  const runScripts = await holdScripts(reader)
  await reader.goto(`${board.url}/thread/${thread._id}#1`, { waitUntil: 'commit' })
  await expect(postOf(reader, 3)).toBeAttached()
  await screen.press(notice)
  await expect(reader).toHaveURL(/#3$/)
  runScripts()
  expect(await screen.opened()).toHaveLength(1)
  // One that has gone on since it was loaded stays where it is.
  await reader.getByRole('contentinfo').getByRole('link', { name: '案内', exact: true }).click()
  await expect(reader.getByRole('heading', { level: 1, name: '忍板について' })).toBeVisible()
  await screen.press(notice)
  await expect.poll(screen.opened).toHaveLength(2)
  expect(new URL(reader.url()).pathname).toBe('/about')
  // And one that has come to the thread since goes to the answer.
  await reader.getByRole('banner').getByRole('link', { name: /^忍板/ }).click()
  await rowOf(reader, '秘密の相談').click()
  await expect(postOf(reader, 1)).toBeVisible()
  await screen.press(notice)
  await expect(reader).toHaveURL(/#3$/)
  expect(await screen.opened()).toHaveLength(2)

  // The push service replaces the subscription.
  const later = service.subscribe()
  const renewed = reader.context().waitForEvent('request', (request) => request.method() === 'PUT')
  await screen.tell('pushsubscriptionchange', { newSubscription: later })
  expect((await (await renewed).response())?.status()).toBe(200)

  // Off: everything is gone from the server, and the browser's subscription with it.
  await reader.goto(`${board.url}/notebook?list=alerts`)
  await settings(reader).getByRole('button', { name: '試しに送る' }).click()
  await expect.poll(() => service.deliveries.at(-1)?.endpoint).toBe(later.endpoint)
  await mainSwitch(reader).click()
  await expect(mainSwitch(reader)).toHaveAttribute('aria-checked', 'false')
  // The switch tells of the server; the browser's subscription ends after it.
  await expect.poll(() => reader.evaluate(() => localStorage.getItem('subscribed'))).toBeNull()
  await board.close()
})
