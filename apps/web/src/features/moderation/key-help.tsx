import { Dialog } from '../../ui/dialog.tsx'
import styles from './desk.module.css'

export type KeyEntry = readonly [keys: string, what: string]

/** ?: every key of a desk. */
export function KeyHelp({ open, onClose, keys }: { open: boolean; onClose: () => void; keys: readonly KeyEntry[] }) {
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
      <p className={styles['hint']}>文字を入力している間と、変換している間は効きません。</p>
    </Dialog>
  )
}
