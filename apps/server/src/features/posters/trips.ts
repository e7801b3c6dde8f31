/**
 * Tripcodes. `#key` gives what 2ch gives for it, so that people keep theirs; `##key` gives a strong
 * one, which can be guessed only at this board, and slowly. Keys are never stored or logged.
 */
import { createHash, createHmac } from 'node:crypto'
import { hashRaw } from '@node-rs/argon2'
import { encodeCp932 } from '@shinobi/dat/cp932'
import crypt from 'unix-crypt-td-js'
import type { Limits } from '../../http/limits.ts'
import type { Visitor } from '../../http/visitor.ts'
import { createLru } from '../../lib/lru.ts'
import { hashing } from '../accounts/hashing.ts'

export interface Trips {
  /**
   * The tripcode of a key, without its ◆.
   * @param key as typed behind the first #
   * @param visitor whose strong keys are computed one at a time, and only so many
   * @throws ApiError unavailable or too_many_requests when too many strong ones are computed
   */
  tripOf(key: string, visitor: Visitor): Promise<string>
}

/** Keys of so many bytes or more give 12 characters by SHA-1, shorter ones 10 by DES. */
const LONG_KEY_BYTES = 12
/** Strong ones are kept in memory, under a hash, for the next posts of their writers. */
const REMEMBERED = 1_000
/** 15 characters, which no tripcode of 2ch has. */
const STRONG_LENGTH = 15
/** As for passwords. */
const STRONG_PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 12 }

export function createTrips(secret: string, limits: Pick<Limits, 'strongKeys'>): Trips {
  const secretOf = (use: string): Buffer => createHmac('sha256', secret).update(use).digest()
  const salt = secretOf('salt of strong trips').subarray(0, 16)
  const memoryKey = secretOf('memory of strong trips')
  const remembered = createLru<string, string>(REMEMBERED)

  async function strongTrip(key: string, visitor: Visitor): Promise<string> {
    const memory = createHmac('sha256', memoryKey).update(key).digest('base64')
    const known = remembered.get(memory)
    if (known !== undefined) return known
    await limits.strongKeys.take(visitor)
    const { address } = visitor.origin
    const hash = () => hashRaw(key, { ...STRONG_PARAMETERS, salt })
    const bytes = await hashing(address, (inTurn) => inTurn(hash)).catch(async (error: unknown) => {
      await limits.strongKeys.giveBack(visitor)
      throw error
    })
    const trip = bytes.toString('base64url').slice(0, STRONG_LENGTH)
    remembered.set(memory, trip)
    return trip
  }

  return {
    tripOf: async (key, visitor) => (key.startsWith('#') ? strongTrip(key.slice(1), visitor) : plainTrip(key)),
  }
}

/** The tripcode that 2ch computes for a key. */
export function plainTrip(key: string): string {
  const bytes = encodeCp932(key)
  return bytes.length < LONG_KEY_BYTES ? desTrip(bytes) : shaTrip(bytes)
}

const shaTrip = (key: Buffer): string =>
  createHash('sha1').update(key).digest('base64').replaceAll('+', '.').slice(0, 12)

/** Characters that crypt(3) does not take as salt, and those that stand for them. */
const UNSALTY = ':;<=>?@[\\]^_`'
const SALTY = 'ABCDEFGabcdef'

function desTrip(key: Buffer): string {
  const salt = [...Buffer.concat([key, Buffer.from('H.')]).subarray(1, 3)]
    .map((byte) => (byte < 0x2e || byte > 0x7a ? '.' : String.fromCharCode(byte)))
    .map((sign) => SALTY[UNSALTY.indexOf(sign)] ?? sign)
    .join('')
  return crypt([...key], salt).slice(-10)
}
