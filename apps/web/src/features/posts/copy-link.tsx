import { useEffect, useRef, useState } from 'react'
import { postPath } from './post-address.ts'
import styles from './post-view.module.css'

const SAID_MS = 1_500

/** The post's permanent address: copied on a press, a plain link without JavaScript and for the context menu. */
export function CopyLink({ threadId, number }: { threadId: string; number: number }) {
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const path = postPath(threadId, number)
  return (
    <a
      href={path}
      className={styles['action']}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        // Without a clipboard (plain http) the link simply leads there.
        if (navigator.clipboard === undefined) return
        event.preventDefault()
        const say = () => {
          setCopied(true)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => setCopied(false), SAID_MS)
        }
        navigator.clipboard.writeText(new URL(path, location.href).href).then(say, () => location.assign(path))
      }}
    >
      <span aria-live="polite">{copied ? 'コピーしました' : 'リンクをコピー'}</span>
      <span className="visually-hidden">{`（${number}）`}</span>
    </a>
  )
}
