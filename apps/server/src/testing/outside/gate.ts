/**
 * A proxy that simulates an outage of the server behind it: it closes every connection until it is
 * opened.
 */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Socket } from 'node:net'

export interface Gate {
  readonly port: number
  /** Number of connections while the gate was closed. */
  turnedAway(): number
  /** Forwards connections to the server from now on. */
  open(): void
  /** Closes existing connections, and all new ones. */
  shut(): void
  /** Passes nothing on any more; existing connections stay open, and new ones are taken. */
  hang(): void
  close(): Promise<void>
}

/** A gate in front of the server of an address, with a port or a unix socket. */
export function gateTo(url: string): Promise<Gate> {
  const { hostname: host, port: behind, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  return startGate(folder === null ? { host, port: Number(behind) } : { path: `${folder}/.s.PGSQL.${behind}` })
}

/** The same address through its gate. */
export function through(gate: Gate, url: string): string {
  const address = new URL(url)
  address.hostname = '127.0.0.1'
  address.port = String(gate.port)
  address.search = ''
  return address.href
}

async function startGate(behind: NetConnectOpts): Promise<Gate> {
  let isOpen = false
  let hangs = false
  let turnedAway = 0
  const sockets = new Set<Socket>()
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }
  const server = createServer((outer) => {
    keep(outer)
    if (hangs) return
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
    open: () => void ([isOpen, hangs] = [true, false]),
    shut,
    hang() {
      hangs = true
      for (const socket of sockets) socket.unpipe()
    },
    async close() {
      shut()
      server.close()
      await once(server, 'close')
    },
  }
}
