/**
 * Proof of work (raid mode, from step 2): the browser searches for a number whose derived key has a
 * known prefix. The number is drawn from a range, so that the duration of the search hardly varies,
 * and the check costs the server one HMAC.
 */
import { createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { z } from 'zod'
import { PROOF_HOURS } from '@shinobi/contract/limits'
import type { Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { createLru } from '../../lib/lru.ts'
import type { Db } from '../../db/client.ts'
import { insertProofCode, saveProof, selectProof, takeProof, takeProofCode } from './proofs.queries.ts'

export interface Proofs {
  /** Creates a task for one visitor's browser. */
  challenge(visitor: Visitor): Promise<Challenge>
  /** Accepts a solution, once. @returns the end of its validity. @throws ApiError bad_proof */
  submit(visitor: Visitor, payload: string): Promise<Date>
  /**
   * Makes a code that takes the proof of a visitor to another program, once, within CODE_MINUTES.
   * The visitor has none any more: one search is worth one writer.
   * @throws ApiError proof_required without a valid proof
   */
  makeCode(visitor: Visitor): Promise<ProofCode>
  /** Gives a visitor the proof that a code stands for. @throws ApiError bad_proof */
  redeem(code: string, visitorId: string): Promise<void>
  /** Whether a visitor has a valid proof, from any server. Mostly answered from memory. */
  hasProven(visitorId: string): Promise<boolean>
}

export interface ProofCode {
  readonly code: string
  readonly endsAt: Date
}

export interface ProofsOptions {
  readonly secret: string
  readonly now: () => number
  readonly db: Db
  /** The highest step of all categories: the task gets harder with it. */
  readonly highestStep: () => number
}

/**
 * Rounds per key. A search of the length below takes some 0.5 million rounds: 0.1 seconds on a
 * desktop, 0.5 seconds on a phone.
 */
const COST = 2_000
/** Minimum and maximum number of keys to try, from step 2 and from step 3. */
const SEARCHES = { proof: [150, 300], hold: [300, 500] } as const
/** Time limit for a solution: enough for a background tab of a slow phone. */
const CHALLENGE_MS = 5 * 60_000
/**
 * Solutions remembered until they expire. A flood beyond this number could reuse one, which only
 * renews a proof that its sender already has.
 */
const USED_MAX = 100_000
/** Visitors with a proof in memory; each takes some 100 bytes. */
const REMEMBERED = 50_000

const CODE_MINUTES = 10
const CODE_LENGTH = 8
/** Without letters and digits that look alike. */
const CODE_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

const solved = z.object({
  challenge: z.object({
    parameters: z
      .object({ data: z.object({ visitor: z.string(), until: z.number() }), keySignature: z.string() })
      .loose(),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }).loose(),
})

export function createProofs({ secret, now, db, highestStep }: ProofsOptions): Proofs {
  const keyFor = (purpose: string): string => createHmac('sha256', secret).update(purpose).digest('hex')
  const keys = {
    hmacSignatureSecret: keyFor('proof challenge'),
    hmacKeySignatureSecret: keyFor('proof solution'),
  }
  const visitorKey = keyFor('proof visitor')
  const codeKey = keyFor('proof code')
  const hashCode = (code: string): string => createHmac('sha256', codeKey).update(code).digest('base64url')
  /** Scripts of the page can read it, so it must not be the visitor's id. */
  const tokenOf = ({ visitorId }: Visitor): string =>
    createHmac('sha256', visitorKey).update(visitorId).digest('base64url')
  const used = createLru<string, true>(USED_MAX, { ttl: CHALLENGE_MS })
  /** Ends of valid proofs, in milliseconds. */
  const proven = createLru<string, number>(REMEMBERED)

  return {
    challenge(visitor) {
      const [least, most] = highestStep() >= 3 ? SEARCHES.hold : SEARCHES.proof
      return createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(least, most + 1),
        deriveKey,
        // A deadline of our own, because the library's uses the system clock.
        data: { visitor: tokenOf(visitor), until: now() + CHALLENGE_MS },
        ...keys,
      })
    },
    async submit(visitor, payload) {
      const { challenge, solution } = readPayload(payload)
      const { data } = challenge.parameters
      const result = await verifySolution({
        // The signature covers all parameters, so the server wrote those that the schema does not
        // list.
        challenge: challenge as unknown as Challenge,
        solution,
        deriveKey,
        ...keys,
      }).catch(() => ({ verified: false }))
      const isGood = result.verified && data.visitor === tokenOf(visitor) && data.until > now()
      if (!isGood || used.has(challenge.signature)) throw refuse('bad_proof', 'proof_failed')
      used.set(challenge.signature, true)
      return prove(visitor.visitorId)
    },
    async makeCode({ visitorId }) {
      if (!(await takeProof(db, visitorId, new Date(now())))) throw refuse('proof_required', 'shield_proof')
      proven.delete(visitorId)
      const code = Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('')
      const endsAt = new Date(now() + CODE_MINUTES * 60_000)
      await insertProofCode(db, hashCode(code), endsAt)
      return { code, endsAt }
    },
    async redeem(code, visitorId) {
      const at = new Date(now())
      if (!(await takeProofCode(db, hashCode(code.toLowerCase()), at))) throw refuse('bad_proof', 'client_code_unknown')
      await prove(visitorId)
    },
    hasProven,
  }

  async function hasProven(visitorId: string): Promise<boolean> {
    if ((proven.get(visitorId) ?? 0) > now()) return true
    const until = await selectProof(db, visitorId)
    if (until === undefined || until.getTime() <= now()) return false
    proven.set(visitorId, until.getTime())
    return true
  }

  async function prove(visitorId: string): Promise<Date> {
    const until = new Date(now() + PROOF_HOURS * 3_600_000)
    await saveProof(db, visitorId, until)
    proven.set(visitorId, until.getTime())
    return until
  }
}

function readPayload(payload: string): z.infer<typeof solved> {
  try {
    return solved.parse(JSON.parse(Buffer.from(payload, 'base64').toString()))
  } catch {
    throw refuse('bad_proof', 'proof_failed')
  }
}
