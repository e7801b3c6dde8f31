/** Visitors with an open thread, connected like the web app: Socket.IO clients in one process. */
import { io, type Socket } from 'socket.io-client'
import type { ClientToServerEvents, ServerToClientEvents } from '@shinobi/contract/events'
import { answerCalls } from '../lib/worker.ts'

let delays: number[] = []
const sockets: Socket<ServerToClientEvents, ClientToServerEvents>[] = []

async function open(url: string, threadId: string): Promise<void> {
  const socket: (typeof sockets)[number] = io(url, { transports: ['websocket'], reconnection: false, forceNew: true })
  socket.on('newPost', (post) => {
    const now = process.hrtime.bigint()
    const sentAt = /^\d+ /.exec(post.content)
    if (sentAt !== null) delays.push(Number(now - BigInt(sentAt[0].trim())) / 1e6)
  })
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
})
