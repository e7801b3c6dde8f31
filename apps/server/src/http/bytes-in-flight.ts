/**
 * Budget for data that visitors have sent and this process buffers until it is complete and
 * processed, mostly pictures.
 */
import { createByteBudget } from '../lib/byte-budget.ts'

const MB = 1024 * 1024

/** Two pictures of 10 MB as data URLs per sender; the total leaves memory on a small machine. */
export const bytesInFlight = createByteBudget({ total: 128 * MB, ofOne: 32 * MB })
