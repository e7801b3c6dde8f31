import type { LiveServer, LiveSocket } from './live.ts'

/**
 * Packets that wait for one connection are sent in one write. While a packet is being written,
 * Engine.IO buffers the next ones, then writes all of them at once, between its events `flush` and
 * `drain`; without this each of them would be a system call, and a busy thread's posts go to all of
 * its readers. Engine.IO has no setting for that, but the stream of the handshake, which the
 * websocket writes to, can be corked.
 */
export function batchPackets(io: LiveServer): void {
  io.engine.on('flush', ({ request }: LiveSocket['conn'], packets: readonly unknown[]) => {
    if (packets.length > 1) request.socket.cork()
  })
  io.engine.on('drain', ({ request: { socket } }: LiveSocket['conn']) => {
    if (socket.writableCorked > 0) socket.uncork()
  })
}
