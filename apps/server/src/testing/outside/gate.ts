/** Stands in front of a server of others that is away for a while: it ends every connection until it is opened. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'

export interface Gate {
  readonly port: number
  /** Connections that came to the closed gate. */
  turnedAway(): number
  /** From now on connections lead to the server behind it. */
  open(): void
  /** Ends those that are there, and all that come. */
  shut(): void
  close(): Promise<void>
}

export async function startGate(behind: NetConnectOpts): Promise<Gate> {
  let isOpen = false
  let turnedAway = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((outer) => {
    keep(outer)
    if (!isOpen) {
      turnedAway += 1
      outer.destroy()
      return
    }
    const inner = keep(connect(behind))
    outer.pipe(inner).pipe(outer)
    outer.once('close', () => inner.destroy())
    inner.once('close', () => outer.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const shut = (): void => {
    isOpen = false
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    turnedAway: () => turnedAway,
    open: () => void (isOpen = true),
    shut,
    async close() {
      shut()
      server.close()
      await once(server, 'close')
    },
  }
}
