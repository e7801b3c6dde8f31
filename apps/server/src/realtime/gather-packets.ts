import type { Duplex } from 'node:stream'
import type { LiveServer, LiveSocket } from './live.ts'

/**
 * Packets that wait for one connection go out in one write. While a packet is on its way Engine.IO keeps the next ones, then hands all
 * of them over at once, between its events `flush` and `drain`; without this each of them would be a system call of its own, and a busy
 * thread's posts are sent to all of its readers.
 */
export function gatherPackets(io: LiveServer): void {
  io.engine.on('flush', (connection: LiveSocket['conn'], packets: readonly Packet[]) => {
    for (const { options } of packets) joinFrame(options)
    if (packets.length > 1) streamOf(connection)?.cork()
  })
  io.engine.on('drain', (connection: LiveSocket['conn']) => {
    const stream = streamOf(connection)
    if (stream !== undefined && stream.writableCorked > 0) stream.uncork()
  })
}

/** A packet of Engine.IO; one that is broadcast shares its options, and its websocket frame in them, with all who are sent it. */
interface Packet {
  readonly options?: { wsPreEncodedFrame?: readonly Buffer[] }
}

/** Head and body of a frame are put together once for everybody, rather than by the system for each. */
function joinFrame(options: Packet['options']): void {
  const frame = options?.wsPreEncodedFrame
  if (frame !== undefined && frame.length > 1) options!.wsPreEncodedFrame = [Buffer.concat(frame)]
}

/** What ws writes to. It has no public name; without it packets are written one by one, as they would be anyway. */
const streamOf = ({ transport }: LiveSocket['conn']): Duplex | undefined =>
  (transport as unknown as { readonly socket?: { readonly _socket?: Duplex } }).socket?._socket
