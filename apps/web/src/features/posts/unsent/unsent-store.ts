/**
 * Unsent posts in IndexedDB, in a database of their own: public/unsent.js reads it in the service
 * worker. Where nothing can be stored they, and what becomes of them, last as long as the page.
 */
import { answerOf, createDatabase } from '../../../lib/open-database.ts'
import type { UnsentPost } from './delivery.ts'

const STORE = 'posts'
/** Posts as they could not be stored; null for one that could not be removed. */
const inMemory = new Map<string, UnsentPost | null>()
/** As read last: a database that does not answer for a moment hides no post. */
let lastRead: readonly UnsentPost[] = []
let hasAnswered = false
const { begin } = createDatabase({
  name: 'unsent',
  version: 1,
  upgrade: (database) => void database.createObjectStore(STORE, { keyPath: 'id' }),
  // A database that does not answer must not keep a post from being sent.
  patience: 1_500,
})

const storeFor = async (mode: IDBTransactionMode): Promise<IDBObjectStore | null> =>
  (await begin(mode, STORE))?.objectStore(STORE) ?? null

/** All of them, in the order of writing. */
export async function readUnsent(): Promise<readonly UnsentPost[]> {
  const store = await storeFor('readonly')
  const read = store === null ? null : await answerOf<UnsentPost[], null>(store.getAll(), null)
  if (read !== null) {
    lastRead = read
    hasAnswered = true
  }
  const posts = [...lastRead.filter(({ id }) => !inMemory.has(id)), ...inMemory.values()]
  return posts.filter((post) => post !== null).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Whether what `readUnsent` returns is all there is: the database has answered in this page. */
export const isUnsentKnown = (): boolean => hasAnswered

/** @returns whether it survives the page */
export async function addUnsent(post: UnsentPost): Promise<boolean> {
  const store = await storeFor('readwrite')
  const isStored =
    store !== null &&
    (await new Promise<boolean>((resolve) => {
      // A full disk, or a picture that this browser cannot store, aborts it.
      store.transaction.oncomplete = () => resolve(true)
      store.transaction.onabort = () => resolve(false)
      try {
        store.put(post)
      } catch {
        resolve(false)
      }
    }))
  if (isStored) lastRead = [...lastRead, post]
  else inMemory.set(post.id, post)
  return isStored
}

/**
 * Changes a post that is still there, in one transaction; null removes it.
 * @returns the post as it was; undefined where it had gone
 */
export async function changeUnsent(
  id: string,
  change: (post: UnsentPost) => UnsentPost | null,
): Promise<UnsentPost | undefined> {
  const kept = inMemory.get(id)
  if (kept === null) return undefined
  if (kept !== undefined) {
    inMemory.set(id, change(kept))
    return kept
  }
  const store = await storeFor('readwrite')
  if (store === null) {
    const last = lastRead.find((post) => post.id === id)
    if (last !== undefined) inMemory.set(id, change(last))
    return last
  }
  return new Promise((resolve) => {
    const request: IDBRequest<UnsentPost | undefined> = store.get(id)
    let before: UnsentPost | undefined
    let next: UnsentPost | null | undefined
    request.onsuccess = () => {
      before = request.result
      if (before === undefined) return
      next = change(before)
      if (next === null) store.delete(id)
      else if (next !== before) store.put(next)
    }
    store.transaction.oncomplete = () => {
      lastRead = lastRead.flatMap((post) => (post.id !== id ? [post] : next == null ? [] : [next]))
      resolve(before)
    }
    store.transaction.onabort = () => {
      // A full disk: a post that was sent, or refused, must not be sent again and again.
      if (next !== undefined && next !== before) inMemory.set(id, next)
      resolve(before)
    }
  })
}
