/** Small pictures for posts, each different. */
import { crc32, deflateSync } from 'node:zlib'

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const SMALLEST = 16
const RANGE = 64

/** A PNG of random colours, 16 to 79 pixels on each edge. */
export function drawPicture(next: () => number): Buffer {
  const edge = (): number => SMALLEST + Math.floor(next() * RANGE)
  const [width, height] = [edge(), edge()]
  const rows = Buffer.alloc(height * (1 + width * 3))
  for (let index = 0; index < rows.length; index += 1) {
    // Each row begins with its filter type: none.
    rows[index] = index % (1 + width * 3) === 0 ? 0 : Math.floor(next() * 256)
  }
  return encodePng(width, height, rows)
}

/** @param rows each with a byte for its filter type, then three bytes for each pixel */
export function encodePng(width: number, height: number, rows: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits a channel, red, green and blue.
  head.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}
