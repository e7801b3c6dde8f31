/**
 * Proof of work (raid mode, step 2 and up): the browser searches for a number whose derived key begins as we know it must. The number
 * is drawn within bounds, so that the search takes no luck, and checking it costs us one HMAC.
 */
import { createHmac, randomInt } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge } from 'altcha-lib/types'
import { z } from 'zod'
import { PROOF_HOURS } from '@shinobi/contract/limits'
import type { Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import type { KnownVisitors } from './known-visitors.service.ts'
import { createLru } from '../../lib/lru.ts'

export interface Proofs {
  /** A task for a visitor's browser, and for no other. */
  challenge(visitor: Visitor): Promise<Challenge>
  /** Takes its solution, once. @returns until when it counts. @throws ApiError bad_proof */
  submit(visitor: Visitor, payload: string): Promise<Date>
}

export interface ProofsOptions {
  readonly secret: string
  readonly now: () => number
  readonly known: KnownVisitors
  /** The highest step that stands anywhere: the task grows with it. */
  readonly highestStep: () => number
}

/** Rounds of one key. With the searches below some 0.5 million rounds: a tenth of a second for a desktop, half a second for a phone. */
const COST = 2_000
/** Keys to be searched through, at least and at most, from step 2 and from step 3 on. */
const SEARCHES = { proof: [150, 300], hold: [300, 500] } as const
/** Time to solve it: a tab in the background of a slow phone still comes through. */
const CHALLENGE_MS = 5 * 60_000
/** Solutions remembered until they expire; a flood beyond it can use one again, which only says once more what is known. */
const USED_MAX = 100_000

const solved = z.object({
  challenge: z.object({
    parameters: z
      .object({ data: z.object({ visitor: z.string(), until: z.number() }), keySignature: z.string() })
      .loose(),
    signature: z.string(),
  }),
  solution: z.object({ counter: z.number(), derivedKey: z.string() }).loose(),
})

export function createProofs({ secret, now, known, highestStep }: ProofsOptions): Proofs {
  const keyFor = (purpose: string): string => createHmac('sha256', secret).update(purpose).digest('hex')
  const keys = {
    hmacSignatureSecret: keyFor('proof challenge'),
    hmacKeySignatureSecret: keyFor('proof solution'),
  }
  const visitorKey = keyFor('proof visitor')
  /** Scripts of the page may see it, so it is not the visitor's id. */
  const tokenOf = ({ visitorId }: Visitor): string =>
    createHmac('sha256', visitorKey).update(visitorId).digest('base64url')
  const used = createLru<string, true>(USED_MAX, { ttl: CHALLENGE_MS })

  return {
    challenge(visitor) {
      const [least, most] = highestStep() >= 3 ? SEARCHES.hold : SEARCHES.proof
      return createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: COST,
        counter: randomInt(least, most + 1),
        deriveKey,
        // Our own end rather than the library's, which goes by the system's clock.
        data: { visitor: tokenOf(visitor), until: now() + CHALLENGE_MS },
        ...keys,
      })
    },
    async submit(visitor, payload) {
      const { challenge, solution } = readPayload(payload)
      const { data } = challenge.parameters
      const result = await verifySolution({
        // The signature is over all parameters, so whatever else came with them was ours.
        challenge: challenge as unknown as Challenge,
        solution,
        deriveKey,
        ...keys,
      }).catch(() => ({ verified: false }))
      const isGood = result.verified && data.visitor === tokenOf(visitor) && data.until > now()
      if (!isGood || used.has(challenge.signature)) throw refuse('bad_proof', 'proof_failed')
      used.set(challenge.signature, true)
      const until = new Date(now() + PROOF_HOURS * 3_600_000)
      await known.prove(visitor.visitorId, until)
      return until
    },
  }
}

function readPayload(payload: string): z.infer<typeof solved> {
  try {
    return solved.parse(JSON.parse(Buffer.from(payload, 'base64').toString()))
  } catch {
    throw refuse('bad_proof', 'proof_failed')
  }
}
