import { messages } from '@shinobi/contract/messages'
import { ApiError } from './api-client.ts'
import { inTime } from './in-time.ts'

/**
 * Sends something; when the board first wants a proof from the browser (raid mode, newcomers only), makes it and sends again. The same
 * sending, with the same client id: it is one post.
 */
export async function withProof<T>(send: () => Promise<T>, onProving: (proving: boolean) => void): Promise<T> {
  try {
    return await send()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'proof_required') throw error
  }
  onProving(true)
  try {
    const { prove } = await inTime(() => import('./proof.ts'))
    await prove()
    return await send()
  } catch (error) {
    // A chunk or a worker that cannot be had, or a search that took too long.
    if (!(error instanceof ApiError)) throw new ApiError(0, 'bad_proof', messages.proof_failed)
    throw error
  } finally {
    onProving(false)
  }
}
