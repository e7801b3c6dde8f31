import type { ReactNode } from 'react'
import styles from './empty.module.css'
import { Ninja, type NinjaPose } from './motifs/ninja.tsx'

/** Says that a list is empty, and what the visitor can do about it (`children`). */
export function EmptyState({
  title,
  pose = 'empty',
  children,
}: {
  title: string
  pose?: NinjaPose
  children?: ReactNode
}) {
  return (
    <div className={styles['empty']}>
      <Ninja pose={pose} className={styles['figure']} />
      <p className={styles['title']}>{title}</p>
      {children && <div className={styles['more']}>{children}</div>}
    </div>
  )
}
