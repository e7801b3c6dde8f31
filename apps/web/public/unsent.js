// Part of the service worker: sends the posts that wait for the server when the network is back,
// where the browser has Background Sync. Pages do the same (features/posts/unsent) by the same
// rules, under the same locks. What is refused or needs a decision is left to them.
const ASK_AFTER_MS = 24 * 3_600_000
/** A post without an answer for this long counts as unanswered: pages wait for the lock. */
const POST_TIMEOUT_MS = 20_000
/** Of one with a picture: `fetch` does not tell whether an upload moves. */
const UPLOAD_TIMEOUT_MS = 120_000

const result = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

function openUnsent() {
  const opening = indexedDB.open('unsent', 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore('posts', { keyPath: 'id' })
  return result(opening)
}

/** The member of the session, null for a visitor; undefined where only a page can tell. */
async function whoWrites() {
  if (!('cookieStore' in self)) return undefined
  if ((await cookieStore.get('session')) === null) return null
  const answer = await fetch('/auth/verify', { method: 'POST' })
  return answer.ok ? (await answer.json()).user._id : undefined
}

async function isOnScreen() {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  return pages.some(({ visibilityState }) => visibilityState === 'visible')
}

async function nextOf(database, threadId, owner) {
  const now = Date.now()
  const posts = await result(database.transaction('posts').objectStore('posts').getAll())
  const first = posts.find(
    (post) =>
      post.threadId === threadId &&
      post.owner === owner &&
      post.answer === null &&
      post.refusal === null &&
      now - post.wantedAt <= ASK_AFTER_MS,
  )
  if (first === undefined || first.notBefore > now) return undefined
  // A page has the key of a tripcode, and sees sooner that an upload does not move.
  return first.hasKey || (first.image !== null && (await isOnScreen())) ? undefined : first
}

function sendPost({ id, threadId, content, name, sage, asStaff, image }) {
  const input = { content, name, clientPostId: id, ...(asStaff && { asStaff }), ...(sage && { sage }) }
  const path = `/api/threads/${encodeURIComponent(threadId)}/posts`
  if (image === null) {
    const headers = { accept: 'application/json', 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(POST_TIMEOUT_MS)
    return fetch(path, { method: 'POST', headers, body: JSON.stringify(input), signal })
  }
  const form = new FormData()
  for (const [field, value] of Object.entries(input)) form.set(field, String(value))
  form.set('image', image, image.name)
  const signal = AbortSignal.timeout(UPLOAD_TIMEOUT_MS)
  return fetch(path, { method: 'POST', headers: { accept: 'application/json' }, body: form, signal })
}

async function sendThread(database, threadId, owner) {
  for (;;) {
    const post = await nextOf(database, threadId, owner)
    if (post === undefined) return
    const response = await sendPost(post)
    if (!response.ok) return
    const answer = await response.json()
    // The next page remembers it as an own post.
    const store = database.transaction('posts', 'readwrite').objectStore('posts')
    if ((await result(store.getKey(post.id))) !== undefined) await result(store.put({ ...post, answer }))
  }
}

async function sendUnsent() {
  const database = await openUnsent()
  try {
    const owner = await whoWrites()
    if (owner === undefined) return
    const posts = await result(database.transaction('posts').objectStore('posts').getAll())
    // A failure of the network rejects: the browser then tries again later.
    for (const threadId of new Set(posts.map((post) => post.threadId)))
      await navigator.locks.request(`unsent ${threadId}`, () => sendThread(database, threadId, owner))
  } finally {
    database.close()
    const tabs = new BroadcastChannel('unsent')
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- for windows; a channel has no target
    tabs.postMessage(null)
    tabs.close()
  }
}

addEventListener('sync', (event) => {
  if (event.tag === 'unsent') event.waitUntil(sendUnsent())
})
