import type { LiveServer, LiveSocket } from './live.ts'

/**
 * Packets that wait for one connection go out in one write. While a packet is on its way Engine.IO keeps the next ones, then hands all
 * of them over at once, between its events `flush` and `drain`; without this each of them would be a system call of its own, and a busy
 * thread's posts are sent to all of its readers. Engine.IO has no setting for that: the stream of the handshake, which the websocket
 * writes to, is what Node lets us cork.
 */
export function gatherPackets(io: LiveServer): void {
  io.engine.on('flush', ({ request }: LiveSocket['conn'], packets: readonly unknown[]) => {
    if (packets.length > 1) request.socket.cork()
  })
  io.engine.on('drain', ({ request: { socket } }: LiveSocket['conn']) => {
    if (socket.writableCorked > 0) socket.uncork()
  })
}
