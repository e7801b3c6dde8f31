/** Visitors with an open thread, connected like the web app: Socket.IO clients in one process. */
import { io, type Socket } from 'socket.io-client'
import type { ClientToServerEvents, ServerToClientEvents } from '@shinobi/contract/events'
import { answerCalls } from '../lib/worker.ts'

let delays: number[] = []
/** Who is told of what, since the last `watch`. */
let watched: { event: Told; told: Set<object>; done: PromiseWithResolvers<string> } | null = null
const sockets: Socket<ServerToClientEvents, ClientToServerEvents>[] = []

/** Events that tell a page of a change other than a post. */
export type Told = 'threadChanged' | 'noticesChanged'

function note(event: Told, socket: object): void {
  if (watched?.event !== event) return
  watched.told.add(socket)
  if (watched.told.size === sockets.length) watched.done.resolve(String(process.hrtime.bigint()))
}

async function open(url: string, threadId: string): Promise<void> {
  const socket: (typeof sockets)[number] = io(url, { transports: ['websocket'], reconnection: false, forceNew: true })
  socket.on('newPost', (post) => {
    const now = process.hrtime.bigint()
    const sentAt = /^\d+ /.exec(post.content)
    if (sentAt !== null) delays.push(Number(now - BigInt(sentAt[0].trim())) / 1e6)
  })
  for (const event of ['threadChanged', 'noticesChanged'] as const) socket.on(event, () => note(event, socket))
  socket.once('disconnect', (reason) => watched?.done.reject(new Error(`a reader was cut off: ${reason}`)))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.once('connect_error', reject)
  socket.emit('joinThread', { threadId }, (answer) => {
    if ('error' in answer) reject(new Error(answer.error.message))
    else resolve()
  })
  await promise
  sockets.push(socket)
}

export const calls = answerCalls({
  async open({ url, threadId, count }: { url: string; threadId: string; count: number }) {
    while (sockets.length < count) {
      const batch = Math.min(50, count - sockets.length)
      await Promise.all(Array.from({ length: batch }, () => open(url, threadId)))
    }
  },
  /** Milliseconds of every delivery since the last call. */
  take() {
    const taken = delays
    delays = []
    return taken
  },
  /** From now on notes who is told of this. */
  watch(event: Told) {
    if (!sockets.every(({ connected }) => connected)) throw new Error('a reader was cut off')
    watched = { event, told: new Set(), done: Promise.withResolvers() }
  },
  /**
   * When everybody was told: the monotonic clock, in nanoseconds. Fails when a reader was cut off.
   */
  lastTold: () => watched!.done.promise,
})
