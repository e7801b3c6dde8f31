/**
 * A notice was pressed while pages of the board are open (public/push.js): one that shows what the
 * notice is about goes there itself, so that it need not be loaded. The others answer no.
 */
let goThere: ((path: string) => boolean) | null = null

/** @param go returns whether the page goes to this path. @returns a function that ends it */
export function takeNotices(go: (path: string) => boolean): () => void {
  goThere = go
  return () => {
    goThere = null
  }
}

export function answerNotices(): void {
  // Plain http has no worker.
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<{ notice: string }>) => {
    ports[0]?.postMessage(goThere?.(data.notice) ?? false)
  })
}
