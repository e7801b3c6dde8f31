import { CHUNK_TIMEOUT_MS } from '@shinobi/contract/limits'

/**
 * A part of the script, or a rejection when it has not come in time. The browser asks for each only
 * once, and lets a later import wait for the same answer: after that only a reload asks again.
 */
export async function inTime<T>(load: () => Promise<T>, ms = CHUNK_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('a part of the script has not come')), ms)
  })
  try {
    return await Promise.race([load(), late])
  } finally {
    clearTimeout(timer)
  }
}
