import { cx } from './cx.ts'
import { Shuriken } from './motifs/shuriken.tsx'
import styles from './spinner.module.css'

/** A turning shuriken. Without a label it is decorative, beside a text that names the activity. */
export function Spinner({ label, size = 'md' }: { label?: string; size?: 'sm' | 'md' }) {
  return (
    <span className={cx(styles['spinner'], styles[size])} {...(label ? { role: 'status' } : {})}>
      <Shuriken className={styles['star']} />
      {label && <span className="visually-hidden">{label}</span>}
    </span>
  )
}
