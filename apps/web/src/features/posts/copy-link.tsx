import { useEffect, useRef, useState } from 'react'
import { postPath } from './post-address.ts'
import styles from './post-actions.module.css'

const SAID_MS = 1_500

/** @throws when the browser does not permit it */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  // Plain http, as in a home network, has no clipboard API: the older way needs a selected field.
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'visually-hidden'
  document.body.append(field)
  const focused = document.activeElement
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  if (!isCopied) throw new Error('not copied')
}

/**
 * The post's permanent address: a press copies it. It is a plain link without JavaScript and for
 * the context menu.
 */
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
        event.preventDefault()
        const say = () => {
          setCopied(true)
          clearTimeout(timer.current)
          timer.current = setTimeout(() => setCopied(false), SAID_MS)
        }
        copyText(new URL(path, location.href).href).then(say, () => location.assign(path))
      }}
    >
      {/* Both occupy one place, so that nothing moves. */}
      <span className={styles['copy']} data-copied={copied || undefined}>
        <span>リンクをコピー</span>
        <span aria-live="polite">{copied && 'コピーしました。'}</span>
      </span>
      <span className="visually-hidden">{`（${number}）`}</span>
    </a>
  )
}
