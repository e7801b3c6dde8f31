import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './seal.module.css'

export type SealTone = 'vermilion' | 'teal' | 'gold'

/** A stamp: two to four characters that classify something (AI要約, 固定, 管理). */
export function Seal({ children, tone = 'vermilion' }: { children: ReactNode; tone?: SealTone }) {
  return <span className={cx(styles['seal'], styles[tone])}>{children}</span>
}

/** A label with a cut edge, for a plain fact (出典: X, 投稿 12). */
export function Tag({ children, icon }: { children: ReactNode; icon?: ReactNode }) {
  return (
    <span className={styles['tag']}>
      {icon}
      <span className={styles['words']}>{children}</span>
    </span>
  )
}
