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

/** Goes on in a tab that shows the thread, else in a new one. */
async function openNotice(path) {
  const url = new URL(path, location.origin).href
  const same = (await windows()).find((client) => {
    const { pathname } = new URL(client.url)
    return pathname.startsWith('/thread/') && `${path}/`.startsWith(`${pathname}/`)
  })
  try {
    if (same !== undefined) {
      await same.focus()
      await same.navigate(url)
      return
    }
  } catch {
    // This worker does not control that tab.
  }
  await clients.openWindow(url)
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
