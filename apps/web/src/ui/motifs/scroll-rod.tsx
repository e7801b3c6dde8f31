import { cx } from '../cx.ts'
import styles from './scroll-rod.module.css'

/** The lacquered rod at the end of a scroll, with its two knobs. Stretches along its parent. */
export function ScrollRod({ vertical = false, className }: { vertical?: boolean; className?: string | undefined }) {
  return <span className={cx(styles['rod'], vertical && styles['vertical'], className)} aria-hidden="true" />
}
