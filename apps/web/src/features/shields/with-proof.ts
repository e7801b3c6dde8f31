import { messages } from '@shinobi/contract/messages'
import { ApiError } from '../../lib/api-client.ts'
import { loadChunk } from '../../lib/load-chunk.ts'

/**
 * Sends a request; when the board requires a proof from the browser (raid mode, newcomers only),
 * computes it and sends again. The same request with the same client id, so it is one post.
 */
export async function withProof<T>(send: () => Promise<T>, onProving: (proving: boolean) => void): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error
  }
  onProving(true)
  try {
    const { prove } = await loadChunk(() => import('./proof.ts'))
    await prove()
    return await send()
  } catch (error) {
    // A chunk or a worker that could not be loaded, or a search that took too long.
    if (!(error instanceof ApiError)) throw new ApiError(0, 'bad_proof', messages.proof_failed)
    throw error
  } finally {
    onProving(false)
  }
}
