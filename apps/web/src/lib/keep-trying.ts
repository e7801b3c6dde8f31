/** Pauses between two attempts: they grow up to the second. */
const [PAUSE_MS, PAUSE_MAX_MS] = [1_000, 30_000]

/**
 * Attempts something after growing pauses, and when the browser reports a network: it does so too
 * early, and then not again. @returns a function that ends it
 */
export function keepTrying(attempt: () => void): () => void {
  let pause = PAUSE_MS
  let timer = setTimeout(again, pause)
  function again() {
    clearTimeout(timer)
    pause = Math.min(PAUSE_MAX_MS, 2 * pause)
    timer = setTimeout(again, pause)
    attempt()
  }
  addEventListener('online', again)
  return () => {
    removeEventListener('online', again)
    clearTimeout(timer)
  }
}
