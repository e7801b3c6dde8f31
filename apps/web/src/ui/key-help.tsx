import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'
import styles from './key-help.module.css'

export type KeyEntry = readonly [keys: string, what: string]

interface KeyHelpProps {
  open: boolean
  onClose: () => void
  keys: readonly KeyEntry[]
  /** A further hint. */
  children?: ReactNode
}

/** ?: every key of a screen. */
export function KeyHelp({ open, onClose, keys, children }: KeyHelpProps) {
  return (
    <Dialog open={open} onClose={onClose} title="キーの一覧">
      <dl className={styles['keys']}>
        {keys.map(([key, what]) => (
          <div key={key} className={styles['key']}>
            <dt>{key}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p className={styles['hint']}>文字を入力している間と、変換している間は効きません。{children}</p>
    </Dialog>
  )
}
