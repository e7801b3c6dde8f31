/**
 * Unsent posts in IndexedDB, in a database of their own: public/unsent.js reads it in the service
 * worker. Where nothing can be stored they last as long as the page.
 */
import { answerOf, createDatabase } from '../../../lib/open-database.ts'
import type { UnsentPost } from './delivery.ts'

const STORE = 'posts'
const inMemory = new Map<string, UnsentPost>()
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
  const stored = store === null ? [] : await answerOf<UnsentPost[]>(store.getAll(), [])
  return [...stored, ...inMemory.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

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
  if (!isStored) inMemory.set(post.id, post)
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
  if (kept !== undefined) {
    const next = change(kept)
    if (next === null) inMemory.delete(id)
    else inMemory.set(id, next)
    return kept
  }
  const store = await storeFor('readwrite')
  if (store === null) return undefined
  return new Promise((resolve) => {
    const request: IDBRequest<UnsentPost | undefined> = store.get(id)
    request.onsuccess = () => {
      const before = request.result
      if (before === undefined) return
      const next = change(before)
      if (next === null) store.delete(id)
      else if (next !== before) store.put(next)
    }
    store.transaction.oncomplete = () => resolve(request.result)
    store.transaction.onabort = () => resolve(undefined)
  })
}
