/** Images as the board hands them out: re-encoded, with known edges, so that a page never jumps while they load. */
import { z } from 'zod'

export const imageFields = {
  imageUrl: z.string().nullable().describe('address of the image, immutable; null without one'),
  thumbnailUrl: z.string().nullable().describe('address of the small copy'),
  imageWidth: z.number().int().nullable().describe('pixels'),
  imageHeight: z.number().int().nullable().describe('pixels'),
}
