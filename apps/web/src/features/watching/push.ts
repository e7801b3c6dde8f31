/**
 * 閉じていても知らせる: subscribes this browser at its push service, and registers it with what it
 * watches. The calls carry no cookie, so that the server cannot tell whose registration it is.
 */
import type { PushRegistration } from '@shinobi/contract/push'
import { bodyOf, noAnswer, parseJson } from '../../lib/api-client.ts'
import { readRecords } from '../reading/store.ts'
import type { PushWishes } from './alerts.ts'
import { PUSH_WISHES, toRegistration } from './push-registration.ts'
import { changeWatching, readWatching } from './store.ts'

/**
 * Why there are no notices: the board sends none, the browser cannot get them, can only in an app
 * on the home screen, or the visitor has forbidden them.
 */
export type PushObstacle = 'off' | 'unsupported' | 'home_screen' | 'denied'

/** What was registered last; public/push.js reads it. */
interface Kept {
  readonly key: string
  readonly registration: PushRegistration
  /** Milliseconds. */
  readonly at: number
}

const CACHE = 'push'
const KEPT = '/push-registration'
/** Registrations without a visit end after weeks, and keys of a board change rarely. */
const AGAIN_AFTER_MS = 86_400_000

async function send<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(path, {
    method,
    credentials: 'omit',
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  }).catch(() => {
    throw noAnswer()
  })
  return bodyOf<T>({
    ...{ status: answer.status, body: parseJson(await answer.text()), link: null },
    retryAfter: answer.headers.get('retry-after'),
  })
}

const readKey = async (): Promise<string | null> => (await send<{ key: string | null }>('GET', '/api/push')).key

/** iPads say that they are Macs. */
const isApplePhone = (): boolean =>
  /iPhone|iPad|iPod/.test(navigator.userAgent) ||
  (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** The board's key, or what stands in the way. @throws ApiError without an answer */
export async function findKey(): Promise<{ readonly key: string } | { readonly obstacle: PushObstacle }> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return { obstacle: isApplePhone() ? 'home_screen' : 'unsupported' }
  }
  if (Notification.permission === 'denied') return { obstacle: 'denied' }
  const key = await readKey()
  return key === null ? { obstacle: 'off' } : { key }
}

async function readKept(): Promise<Kept | null> {
  const answer = await (await caches.open(CACHE)).match(KEPT)
  return answer === undefined ? null : ((await answer.json()) as Kept)
}

const keep = async (kept: Kept): Promise<void> =>
  (await caches.open(CACHE)).put(KEPT, new Response(JSON.stringify(kept)))

const toBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

const keyOf = ({ options: { applicationServerKey } }: PushSubscription): string =>
  toBase64url(new Uint8Array(applicationServerKey ?? new ArrayBuffer()))

/** A subscription needs a worker that is active. */
async function readyWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register('/sw.js')
  return navigator.serviceWorker.ready
}

/** The subscription with the board's key, in place of one with an earlier key. */
async function subscribe(key: string): Promise<PushSubscription> {
  const { pushManager } = await readyWorker()
  const known = await pushManager.getSubscription()
  if (known !== null && keyOf(known) === key) return known
  await known?.unsubscribe()
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })
}

/** One tab at a time: the others find that nothing is left to do. */
const alone = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request('push', work)

async function register(wishes: PushWishes, known?: string): Promise<void> {
  const now = Date.now()
  const kept = await readKept()
  const isDue = kept === null || now - kept.at > AGAIN_AFTER_MS
  const key = known ?? (isDue ? await readKey() : kept.key)
  if (key === null) return
  const subscription = (await subscribe(key)).toJSON() as PushRegistration['subscription']
  const { endpoint, keys } = subscription
  const registration: PushRegistration = {
    ...toRegistration(readWatching(), await readRecords(), wishes),
    subscription: { endpoint, keys },
  }
  if (!isDue && JSON.stringify(registration) === JSON.stringify(kept.registration)) return
  await send('PUT', '/api/push/registration', registration)
  await keep({ key, registration, at: now })
}

/** Registers what has changed since the last time. */
export async function keepInStep(): Promise<void> {
  if (readWatching().push === null || Notification.permission !== 'granted') return
  await alone(async () => {
    const { push } = readWatching()
    if (push !== null) await register(push)
  })
}

const newToken = (): string => toBase64url(crypto.getRandomValues(new Uint8Array(32)))

/**
 * Asks the visitor, and registers.
 * @returns false when the visitor refuses. @throws ApiError, or DOMException (no push service)
 */
export async function turnOn(key: string): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false
  const wishes = { ...PUSH_WISHES, token: newToken() }
  await alone(() => register(wishes, key))
  changeWatching((before) => ({ ...before, push: wishes }))
  return true
}

/** Deletes everything from the server, and ends the subscription. @throws ApiError */
export async function turnOff(): Promise<void> {
  await alone(async () => {
    const { push } = readWatching()
    if (push !== null) await send('POST', '/api/push/drop', { token: push.token })
    changeWatching((before) => ({ ...before, push: null }))
    await caches.delete(CACHE)
    await (await (await readyWorker()).pushManager.getSubscription())?.unsubscribe()
  })
}

/** @throws ApiError */
export async function sendTest({ token }: PushWishes): Promise<void> {
  await keepInStep()
  await send('POST', '/api/push/test', { token })
}
