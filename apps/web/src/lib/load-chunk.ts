/**
 * Loads parts of the program on demand. Chromium up to 151 keeps a failed request of a module for
 * as long as the page stands: a later import fails without a request, and only a reload helps.
 */
import { CHUNK_TIMEOUT_MS } from '@shinobi/contract/limits'

/**
 * Loads a chunk, and rejects when it takes too long. The browser requests each chunk only once, and
 * a later import waits for the same request: after a timeout only a reload requests it again.
 */
export async function inTime<T>(load: () => Promise<T>, ms = CHUNK_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('a chunk was not loaded in time')), ms)
  })
  try {
    return await Promise.race([load(), late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Loads a chunk within a page that stands. When that fails, the page offers a reload if no later
 * attempt can succeed; the caller says what could not be done.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await inTime(load)
  } catch (error) {
    void offerReload(load)
    throw error
  }
}

/**
 * Offers a reload if the server answers and the chunk fails all the same: the browser keeps an
 * earlier failure, or a new version of the board has replaced the chunk.
 */
export async function offerReload(load: () => Promise<unknown>): Promise<void> {
  if (!(await isReachable())) return
  await load().catch(() => window.loseScript?.())
}

/**
 * Whether the server answers. Browsers report a network before it works, and some report none
 * although it does.
 */
export const isReachable = (): Promise<boolean> =>
  fetch('/boot.js', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
