import { expect, test } from 'vitest'
import script from '../../../../public/unsent.js?raw'
import { THREAD_ID } from '../post-fixtures.ts'
import type { UnsentPost } from './delivery.ts'

const textPost: UnsentPost = {
  ...{ id: 'a', threadId: THREAD_ID, threadTitle: '里', owner: null, content: '一言', name: '忍', hasKey: false },
  ...{ sage: false, asStaff: false, image: null, wantedAt: Date.now(), notBefore: 0 },
  ...{ refusal: null, isTold: false, answer: null },
}
const picturePost: UnsentPost = { ...textPost, image: new File(['x'], 'a.png', { type: 'image/png' }) }

/** An IndexedDB with one store of posts. */
function databaseOf(posts: readonly UnsentPost[]) {
  const request = (result: unknown) => {
    const asked = { result, onsuccess: () => {} }
    queueMicrotask(() => asked.onsuccess())
    return asked
  }
  const store = { getAll: () => request(posts) }
  return { open: () => request({ transaction: () => ({ objectStore: () => store }), close: () => {} }) }
}

/** The worker with a line that has died silently: its requests end by their limit alone. */
function startWorker(post: UnsentPost, visibilityStates: readonly string[]) {
  const limits: { readonly ms: number; readonly end: () => void }[] = []
  const locks: string[] = []
  let sync: (event: { tag: string; waitUntil: (work: Promise<void>) => void }) => void = () => {}
  const asked = Promise.withResolvers<void>()
  const scope = {
    self: { cookieStore: true },
    cookieStore: { get: async () => null },
    clients: { matchAll: async () => visibilityStates.map((visibilityState) => ({ visibilityState })) },
    indexedDB: databaseOf([post]),
    navigator: {
      locks: {
        async request(name: string, work: () => Promise<void>) {
          locks.push(name)
          await work().finally(() => locks.pop())
        },
      },
    },
    BroadcastChannel: class {
      postMessage() {}
      close() {}
    },
    AbortSignal: {
      timeout(ms: number) {
        const limit = new AbortController()
        limits.push({ ms, end: () => limit.abort(new DOMException('too late', 'TimeoutError')) })
        return limit.signal
      },
    },
    fetch: (_path: string, { signal }: RequestInit) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
        asked.resolve()
      }),
    addEventListener: (_type: 'sync', listener: typeof sync) => {
      sync = listener
    },
  }
  // oxlint-disable-next-line typescript/no-implied-eval -- the script of a worker takes its globals from there
  new Function(...Object.keys(scope), script)(...Object.values(scope))
  const dispatch = () =>
    new Promise<void>((resolve, reject) => {
      sync({ tag: 'unsent', waitUntil: (work) => void work.then(resolve, reject) })
    })
  return { dispatch, asked: asked.promise, limits, locks }
}

test.each([
  [textPost, 20_000],
  [picturePost, 120_000],
])('the worker gives up on a post without an answer, so that pages get the lock of its thread', async (post, ms) => {
  const worker = startWorker(post, [])
  const ended = worker.dispatch().catch((error: unknown) => error)
  await worker.asked
  expect(worker.locks).toEqual([`unsent ${THREAD_ID}`])
  expect(worker.limits.map((limit) => limit.ms)).toEqual([ms])
  worker.limits[0]!.end()
  // The browser then tries again later.
  expect(await ended).toMatchObject({ name: 'TimeoutError' })
  expect(worker.locks).toEqual([])
})

test('the worker leaves a picture to a page on screen, and sends it while all pages are hidden', async () => {
  const shown = startWorker(picturePost, ['hidden', 'visible'])
  await shown.dispatch()
  expect(shown.limits).toEqual([])
  const hidden = startWorker(picturePost, ['hidden'])
  void hidden.dispatch()
  await hidden.asked
})
