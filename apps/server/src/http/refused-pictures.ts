/**
 * Limits the cost of refused pictures: each has been received and its header read before it is
 * refused. After too many refusals the sender's next picture is refused before it is received.
 */
import { ApiError } from '../lib/api-error.ts'
import { createKeyLimits, tooMany, type KeyLimit } from '../lib/key-limit.ts'

/**
 * Refused pictures of one source. Browsers check type and size before they send, so few pictures of
 * real visitors are refused, even of the many behind one carrier's NAT.
 */
const REFUSED_PER_SOURCE = { points: 10, seconds: 600 }

export interface RefusedPictures {
  /**
   * Call it before a picture is received.
   * @param source the sender, as `askerOf` names it
   * @throws ApiError too_many_requests when too many pictures of this sender were refused
   */
  requireFew(source: string): Promise<void>
  /**
   * Runs work on a picture of a source, and counts the picture when it is refused because of its
   * contents.
   */
  count<T>(source: string, work: () => Promise<T>): Promise<T>
}

/** Counted per process, because it protects the time of this process. */
export function createRefusedPictures(): RefusedPictures {
  const refused: KeyLimit = createKeyLimits(null)({
    name: 'refusedPictures',
    ...REFUSED_PER_SOURCE,
    refusal: tooMany('uploads_limited'),
  })
  return {
    requireFew: (source) => refused.require(source),
    async count(source, work) {
      try {
        return await work()
      } catch (error) {
        if (isRefusedPicture(error)) await refused.take(source).catch(() => {})
        throw error
      }
    },
  }
}

const isRefusedPicture = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'bad_image' || error.code === 'unsupported_media_type')
