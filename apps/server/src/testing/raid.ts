import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import type { Challenge, Solution } from 'altcha-lib/types'
import type { Answer, Board, Guest } from './board.ts'
import { visit } from './board.ts'

/** Fetches a proof-of-work challenge for a browser. */
export async function fetchChallenge(guest: Guest): Promise<Challenge> {
  const answer = await guest.post<{ challenge: Challenge }>('/api/proofs/challenge')
  if (answer.status !== 200) throw new Error(`no challenge was given: ${JSON.stringify(answer.body)}`)
  return answer.body.challenge
}

/** Solves a challenge, as a browser's worker does. */
export async function solve(challenge: Challenge): Promise<Solution> {
  const solution = await solveChallenge({ challenge, deriveKey })
  if (solution === null) throw new Error('there is no solution')
  return solution
}

export const submit = <T = { code: string }>(guest: Guest, proof: unknown): Promise<Answer<T>> =>
  guest.post<T>('/api/proofs', { payload: Buffer.from(JSON.stringify(proof)).toString('base64') })

/** Proves the work, as the page does on request. */
export async function prove(guest: Guest): Promise<Answer<{ until: string }>> {
  const challenge = await fetchChallenge(guest)
  return submit(guest, { challenge, solution: await solve(challenge) })
}

/** This many visitors, each with a browser and an address. */
export const crowd = (board: Board, count: number): Guest[] =>
  Array.from({ length: count }, (_, index) => visit(board, `10.9.${Math.floor(index / 250)}.${index % 250}`))
