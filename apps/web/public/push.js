// Notices by Web Push, while no page of the board is on screen (features/watching/push.ts registers
// for them). Part of the service worker.
const REGISTRATION = '/push-registration'

addEventListener('push', (event) => event.waitUntil(showNotice(event.data.json())))
addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(openNotice(event.notification.data))
})
addEventListener('pushsubscriptionchange', (event) => event.waitUntil(registerAgain(event)))

async function showNotice({ title, body, tag, path, threadId, number }) {
  const isSeen = threadId !== undefined && ((await isOnScreen()) || (await wasRead(threadId, number)))
  const icon = '/icon-192.png'
  await registration.showNotification(title, { body, tag, icon, data: path, renotify: !isSeen, silent: isSeen })
  if (!isSeen) return
  // Browsers end a subscription whose messages show nothing, so it is shown and taken away.
  for (const notice of await registration.getNotifications({ tag })) notice.close()
}

const windows = () => clients.matchAll({ type: 'window', includeUncontrolled: true })

async function isOnScreen() {
  return (await windows()).some(({ visibilityState }) => visibilityState === 'visible')
}

/** Whether a thread was read through a post, by the record of features/reading/database.ts. */
function wasRead(threadId, number) {
  return new Promise((resolve) => {
    const request = indexedDB.open('shinobi')
    // The page makes the database.
    request.onupgradeneeded = () => request.transaction.abort()
    request.onerror = () => resolve(false)
    request.onsuccess = () => {
      const database = request.result
      const reading = database.transaction('threads').objectStore('threads').get(threadId)
      reading.onsuccess = () => resolve((reading.result?.readThrough ?? 0) >= number)
      reading.onerror = () => resolve(false)
      database.close()
    }
  })
}

/**
 * Goes on in a tab that shows the thread, else in a new one. The address of a client is the one
 * that it was loaded with: only its page knows what it shows now.
 */
async function openNotice(path) {
  const url = new URL(path, location.origin).href
  const open = await windows()
  // A browser lets a worker open or focus a tab for a moment after the press: Firefox for a second.
  const answers = await Promise.all(open.map((client) => goesThere(client, path, 300)))
  const there = open[answers.indexOf(true)]
  if (there !== undefined) return there.focus()
  // Without an answer: its script has not run yet, or it is frozen until it is focused.
  const silent = open.find((client, index) => {
    const { pathname } = new URL(client.url)
    return answers[index] === null && pathname.startsWith('/thread/') && `${path}/`.startsWith(`${pathname}/`)
  })
  const openNew = () => clients.openWindow(url)
  if (silent === undefined) return openNew()
  await silent.focus()
  const answer = await goesThere(silent, path, 2_000)
  // A worker navigates only the tabs that it controls.
  if (answer === null) await silent.navigate(url).catch(openNew)
  else if (!answer) await openNew()
}

/**
 * Whether the page of a tab goes to the post itself (lib/pressed-notices.ts): what was written and
 * chosen in it is kept then. Null without an answer in so many milliseconds.
 */
function goesThere(client, path, withinMs) {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(resolve, withinMs, null)
    client.postMessage({ notice: path }, [port2])
  })
}

/** The push service has replaced the subscription: the board must get the new one. */
async function registerAgain({ newSubscription }) {
  const kept = await (await caches.match(REGISTRATION))?.json()
  if (kept === undefined) return
  const { key, registration: before } = kept
  const subscription =
    newSubscription ?? (await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }))
  const body = JSON.stringify({ ...before, subscription })
  const headers = { 'content-type': 'application/json' }
  await fetch('/api/push/registration', { method: 'PUT', credentials: 'omit', headers, body })
}
