import { useEffect, useRef, type ReactNode } from 'react'
import { useScripted } from '../../lib/use-scripted.ts'
import { Button, type ButtonVariant } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './submit.module.css'

interface SubmitProps {
  busy: boolean
  /** In the banner under the button, which stays where it is. */
  problem?: ReactNode
  /** For the fields that the banner speaks of. */
  problemId?: string
  variant?: ButtonVariant
  children: ReactNode
}

/**
 * The button of a form, and the banner of its failures. Before the script hears it, it is no submit button: what was typed would
 * travel in the address.
 */
export function Submit({ busy, problem, problemId, variant = 'primary', children }: SubmitProps) {
  const scripted = useScripted()
  const banner = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (problem) banner.current?.scrollIntoView({ block: 'nearest' })
  }, [problem])
  return (
    <div className={styles['submit']}>
      <Button type={scripted ? 'submit' : 'button'} variant={variant} busy={busy} className={styles['button']}>
        {children}
      </Button>
      {problem && (
        <div ref={banner} id={problemId} className={styles['banner']}>
          <Notice tone="error">{problem}</Notice>
        </div>
      )}
      <noscript>
        <p className={styles['noscript']}>この画面にはJavaScriptが必要です。</p>
      </noscript>
    </div>
  )
}
