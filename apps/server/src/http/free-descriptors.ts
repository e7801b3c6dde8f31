import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Keeps descriptors free for new visitors. A new connection beyond `max` closes the one that has
 * waited longest for a request, or has sent a part of its headers only. A browser opens another one
 * for its next request. Where none waits, the new one is served as long as there is a descriptor.
 */
export function keepDescriptorsFree(server: Server, max: number): void {
  let open = 0
  /** The one that has waited longest comes first. */
  const waiting = new Set<Socket>()
  /** Requests of a connection that are being answered; several where they are pipelined. */
  const underWay = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: number): void => {
    const now = (underWay.get(socket) ?? 0) + change
    underWay.set(socket, now)
    if (now > 0 || socket.destroyed) waiting.delete(socket)
    else waiting.add(socket)
  }

  server.on('connection', (socket: Socket) => {
    // Refused for its address (connections.ts).
    if (socket.destroyed) return
    const [longest] = open >= max ? waiting : []
    open += 1
    waiting.add(socket)
    socket.once('close', () => {
      open -= 1
      waiting.delete(socket)
    })
    longest?.destroy()
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => count(socket, 1))
}
