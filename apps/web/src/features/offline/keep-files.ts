/**
 * Stores what the board needs to start without a network: its page without content and the scripts
 * that this browser has loaded. The service worker (public/sw.js) answers with them.
 */
import { OFFLINE_PAGE } from '@shinobi/contract/site'
import { paths } from '../../app/paths.ts'

/** A cache per build: one build's scripts do not work with the page of another. */
const PREFIX = 'offline '

let isPrepared = false

/** Stores all that was loaded so far; rejects without a network or on a full disk. */
export async function keepFiles(): Promise<void> {
  // http, except on this machine.
  if (!('serviceWorker' in navigator)) return
  const entry = document.querySelector<HTMLScriptElement>('script[type=module][src]')
  if (entry === null) return
  await navigator.serviceWorker.register('/sw.js')
  const name = PREFIX + new URL(entry.src).pathname
  const cache = await caches.open(name)
  const kept = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const wanted = [...loadedFiles(), ...(isPrepared ? [] : await filesOf(paths.notebook())), '/boot.js']
  // One by one rather than by addAll: what arrives is kept, although another file is refused.
  const missing = [...new Set(wanted)].filter((path) => !kept.has(path))
  const results = await Promise.allSettled(missing.map((path) => keep(cache, path)))
  if (results.some(({ status }) => status === 'rejected')) throw new Error('some files are not kept yet')
  // The last one: a new version may have been installed since this page was loaded.
  if (!kept.has(OFFLINE_PAGE)) {
    const page = await answerOf(OFFLINE_PAGE)
    if (!(await page.clone().text()).includes(`"${new URL(entry.src).pathname}"`)) {
      throw new Error('the board has another version')
    }
    await cache.put(OFFLINE_PAGE, page)
  }
  isPrepared = true
  for (const other of await caches.keys()) {
    if (other.startsWith(PREFIX) && other !== name) await caches.delete(other)
  }
}

const keep = async (cache: Cache, path: string): Promise<void> => cache.put(path, await answerOf(path))

async function answerOf(path: string): Promise<Response> {
  const answer = await fetch(path)
  if (!answer.ok) throw new Error(`${path} answered with ${answer.status}`)
  return answer
}

const isBuilt = (path: string): boolean => path.startsWith('/assets/')

/** Paths of the built files that this page has loaded; boot.js makes room for them. */
const loadedFiles = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && isBuilt(pathname))
    .map(({ pathname }) => pathname)

/** Paths of the built files that a page begins with. */
async function filesOf(path: string): Promise<string[]> {
  const page = new DOMParser().parseFromString(await (await answerOf(path)).text(), 'text/html')
  return Array.from(page.querySelectorAll('link[href]'), (link) => link.getAttribute('href') ?? '').filter(isBuilt)
}
