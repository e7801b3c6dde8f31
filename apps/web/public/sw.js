// Without a network: answers pages that can be read from what this browser keeps, and their scripts
// (features/offline/keep-files.ts stores them). With a network nothing is different.
importScripts('/unsent.js')
// Notices while the board is closed (features/watching/push.ts registers for them).
importScripts('/push.js')

const OFFLINE_PAGE = '/offline.html'
const isPage = (path) => /^\/(notebook|thread\/[^/]+)?$/.test(path)
const isFile = (path) => path.startsWith('/assets/') || path === '/boot.js'

addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => {
  // The browser asks the network while this worker starts.
  event.waitUntil(Promise.all([registration.navigationPreload?.enable(), clients.claim()]))
})
addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return
  // Other pages too: the browser would ask twice for a navigation that nobody answers here.
  if (mode === 'navigate') event.respondWith(answer(event, isPage(pathname) ? OFFLINE_PAGE : null))
  else if (isFile(pathname)) event.respondWith(answer(event, pathname))
})

async function answer(event, kept) {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch (error) {
    const known = kept === null ? undefined : await caches.match(kept, { ignoreVary: true })
    if (known === undefined) throw error
    return known
  }
}
