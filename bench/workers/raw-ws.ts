/**
 * The reference of the delivery row: a ws server that relays one client's messages to all others.
 */
import type { AddressInfo } from 'node:net'
import { WebSocketServer, type WebSocket } from 'ws'
import { answerCalls } from '../lib/worker.ts'

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })
const readers = new Set<WebSocket>()

server.on('connection', (socket, request) => {
  if (request.url === '/reader') {
    readers.add(socket)
    socket.on('close', () => readers.delete(socket))
    return
  }
  socket.on('message', (data) => {
    for (const reader of readers) reader.send(data, { binary: false })
  })
})

export const calls = answerCalls({
  async listen() {
    if (server.address() === null) await new Promise((resolve) => server.once('listening', resolve))
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
})
