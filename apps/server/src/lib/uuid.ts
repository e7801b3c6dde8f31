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
/** In 26 bits: the 12 after the time and the 14 after the variant. */
let counter = 0

/**
 * A UUIDv7 (RFC 9562): its text sorts by the given time in milliseconds, and within a millisecond
 * by the order of creation in this process (a counter, §6.2 method 1). The counter begins at a
 * random number in the lower half, so that order holds for at least 33 million ids that are made
 * one after the other with the same time. 48 bits are random.
 */
export function uuidv7(milliseconds: number): string {
  const bytes = take(10)
  if (milliseconds === lastTime) counter = (counter + 1) & 0x3ff_ffff
  else counter = ((bytes[0]! << 24) | (bytes[1]! << 16) | (bytes[2]! << 8) | bytes[3]!) & 0x1ff_ffff
  lastTime = milliseconds
  let tail = ''
  for (let index = 4; index < 10; index += 1) tail += hex(bytes[index]!, 2)
  return `${timePart(milliseconds)}-7${hex(counter >>> 14, 3)}-${hex(0x8000 | (counter & 0x3fff), 4)}-${tail}`
}

/** The lowest UUIDv7 of a time: every id created then or later is equal or greater. */
export const uuidv7Floor = (milliseconds: number): string => `${timePart(milliseconds)}-7000-8000-000000000000`

/** Whether an id is a UUIDv7, and not a random one. */
export const isUuidv7 = (id: string): boolean => id[14] === '7'

/** When a UUIDv7 was made, in milliseconds. */
export const timeOfUuid = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)

/** Any UUID in its usual spelling. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
