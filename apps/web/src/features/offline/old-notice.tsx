import { useEffect } from 'react'
import { Notice } from '../../ui/notice.tsx'

/** Time between two attempts to reach the server. */
const EVERY_MS = 10_000

/**
 * Above a thread that is shown as the browser kept it, until `reread` gets an answer: a server that
 * was away comes back without a word of the browser. `reread` is stable.
 */
export function OldNotice({ reread }: { reread: () => void }) {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') reread()
    }, EVERY_MS)
    return () => clearInterval(timer)
  }, [reread])
  return <Notice tone="info">いまはサーバーに確かめられません。このブラウザに残した書き込みを表示しています。</Notice>
}
