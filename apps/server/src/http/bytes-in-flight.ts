/** What visitors have sent and this process holds in its memory until it is complete and worked through: pictures, above all. */
import { createByteBudget } from '../lib/byte-budget.ts'

const MB = 1024 * 1024

/** Two pictures of 10 MB as data URLs for one sender, and so many in all that a small machine has memory left. */
export const bytesInFlight = createByteBudget({ total: 128 * MB, ofOne: 32 * MB })
