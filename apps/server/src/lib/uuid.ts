import { randomFillSync } from 'node:crypto'

const random = new Uint8Array(4096)
let used = random.length

function take(count: number): Uint8Array {
  if (used + count > random.length) {
    randomFillSync(random)
    used = 0
  }
  used += count
  return random.subarray(used - count, used)
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** The time part that all UUIDv7 of a millisecond share; a bound for ranges of ids by time. */
const timePart = (milliseconds: number): string => {
  const time = hex(Math.max(0, Math.floor(milliseconds)), 12)
  return `${time.slice(0, 8)}-${time.slice(8)}`
}

let lastTime = -1
let counter = 0

/**
 * A UUIDv7 (RFC 9562): its text sorts by the given time in milliseconds, and within a millisecond
 * by the order of creation in this process (a counter in the 12 bits after the time, §6.2 method
 * 1).
 */
export function uuidv7(milliseconds: number): string {
  const bytes = take(10)
  if (milliseconds === lastTime && counter < 0xfff) counter += 1
  else counter = ((bytes[0]! << 8) | bytes[1]!) & 0x7ff
  lastTime = milliseconds
  let tail = ''
  for (let index = 3; index < 10; index += 1) tail += hex(bytes[index]!, 2)
  return `${timePart(milliseconds)}-7${hex(counter, 3)}-${hex((bytes[2]! & 0x3f) | 0x80, 2)}${tail.slice(0, 2)}-${tail.slice(2)}`
}

/** The lowest UUIDv7 of a time: every id created then or later is equal or greater. */
export const uuidv7Floor = (milliseconds: number): string => `${timePart(milliseconds)}-7000-8000-000000000000`

/** Any UUID in its usual spelling. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
