/**
 * Images as the board serves them: re-encoded, with known dimensions, so that the layout does not
 * shift while they load.
 */
import { z } from 'zod'

export const imageFields = {
  imageUrl: z.string().nullable().describe('address of the image, immutable; null without one'),
  thumbnailUrl: z.string().nullable().describe('address of the small copy'),
  imageWidth: z.number().int().nullable().describe('pixels'),
  imageHeight: z.number().int().nullable().describe('pixels'),
}
