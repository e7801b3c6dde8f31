/**
 * Visitors who have a thread open and do nothing: plain ws clients with the few lines of Socket.IO
 * that joining needs.
 */
import { WebSocket } from 'ws'
import { answerCalls } from '../lib/worker.ts'

/** Opened at a time; more would only wait in the server's backlog. */
const BATCH = 100
/** A client address has some 28,000 ports; this stays far below. */
const SOCKETS_AN_ADDRESS = 5_000

const sockets: WebSocket[] = []

async function open(url: string, threadId: string): Promise<void> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    perMessageDeflate: false,
    localAddress: `127.0.0.${2 + Math.floor(sockets.length / SOCKETS_AN_ADDRESS)}`,
  })
  sockets.push(socket)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('the board closed a socket')))
  socket.on('message', (data: Buffer) => {
    const text = data.toString()
    // 0 opens the connection and 40 the namespace; 2 is a ping; 430 acknowledges joinThread.
    if (text.startsWith('0')) socket.send('40')
    else if (text === '2') socket.send('3')
    else if (text.startsWith('40')) socket.send(`420${JSON.stringify(['joinThread', { threadId }])}`)
    else if (text.startsWith('430')) resolve()
  })
  await promise
}

export const calls = answerCalls({
  /** Opens sockets until there are `count`, distributed over the threads. */
  async open({ url, threadIds, count }: { url: string; threadIds: readonly string[]; count: number }) {
    while (sockets.length < count) {
      const batch = Math.min(BATCH, count - sockets.length)
      await Promise.all(Array.from({ length: batch }, () => open(url, threadIds[sockets.length % threadIds.length]!)))
    }
  },
  /** Sockets that are still open. */
  count: () => sockets.filter((socket) => socket.readyState === WebSocket.OPEN).length,
})
