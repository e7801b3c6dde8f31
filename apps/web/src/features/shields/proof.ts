/**
 * The proof of work that raid mode requires of newcomers: computed in workers, so that the page
 * stays responsive. Loaded on demand.
 */
import { solveChallengeWorkers } from 'altcha-lib'
import type { Challenge } from 'altcha-lib/types'
import { messages } from '@shinobi/contract/messages'
import { ApiError, apiSend } from '../../lib/api-client.ts'

/** More workers do not help: the search is short, and starting a worker takes time. */
const WORKERS_MAX = 4
/** The slowest phone needs a few seconds. */
const TIMEOUT_MS = 30_000

/** Resolves when the server has accepted the proof. */
export async function prove(): Promise<void> {
  const { challenge } = await apiSend<{ challenge: Challenge }>('POST', '/api/proofs/challenge', undefined, {
    background: true,
  })
  const solution = await solveChallengeWorkers({
    challenge,
    concurrency: Math.min(WORKERS_MAX, Math.max(1, navigator.hardwareConcurrency)),
    createWorker: () => new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' }),
    timeout: TIMEOUT_MS,
  })
  if (solution === null) throw new ApiError(0, 'bad_proof', messages.proof_failed)
  const payload = btoa(JSON.stringify({ challenge, solution }))
  await apiSend('POST', '/api/proofs', { payload }, { background: true })
}
