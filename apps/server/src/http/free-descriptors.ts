import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressPrefix } from './visitor.ts'

/**
 * Keeps descriptors free for new visitors. When more connections are open than `max`, it closes one
 * that waits for a request or has sent a part of its headers: the one that has waited longest, of
 * the address that has most of these. A browser opens another one for its next request.
 */
export function keepDescriptorsFree(server: Server, max: number): void {
  /** With their addresses. */
  const open = new Map<Socket, string>()
  /** By address; the one that has waited longest comes first. */
  const waiting = new Map<string, Set<Socket>>()

  function beginWait(socket: Socket): void {
    const key = open.get(socket)
    if (key === undefined) return
    const sockets = waiting.get(key)
    if (sockets === undefined) waiting.set(key, new Set([socket]))
    else sockets.add(socket)
  }
  function endWait(socket: Socket): void {
    const key = open.get(socket)
    const sockets = key === undefined ? undefined : waiting.get(key)
    if (sockets?.delete(socket) === true && sockets.size === 0) waiting.delete(key!)
  }
  function forget(socket: Socket): void {
    endWait(socket)
    open.delete(socket)
  }

  server.on('connection', (socket: Socket) => {
    // Undefined for one that is closed already.
    const { remoteAddress } = socket
    if (remoteAddress === undefined) return
    open.set(socket, addressPrefix(remoteAddress))
    beginWait(socket)
    socket.once('close', () => forget(socket))
    while (open.size > max && waiting.size > 0) {
      let [most] = waiting.values()
      for (const sockets of waiting.values()) if (sockets.size > most!.size) most = sockets
      const [longest] = most!
      forget(longest!)
      longest!.destroy()
    }
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    endWait(socket)
    response.once('close', () => beginWait(socket))
  })
  server.on('upgrade', ({ socket }: IncomingMessage) => endWait(socket))
}
