import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { ArrowDownIcon } from '../../ui/icons.tsx'
import { latestPath, rangePath } from './post-address.ts'
import styles from './thread-dock.module.css'

interface JumpLinksProps {
  threadId: string
  newest: number
  /** Goes there within the page; false when that part is not loaded, and the link shall lead there. */
  onJump: (to: 'first' | 'latest') => boolean
}

/** 最初へ and 最新へ, always at the thumb. */
export function JumpLinks({ threadId, newest, onJump }: JumpLinksProps) {
  const jump = (to: 'first' | 'latest') => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (onJump(to)) event.preventDefault()
  }
  return (
    <nav aria-label="移動" className={styles['jumps']}>
      <Link to={rangePath(threadId, { after: 0 })} onClick={jump('first')} className={styles['jump']}>
        <ArrowDownIcon size={18} className={styles['up']} />
        <span className={styles['word']}>最初へ</span>
      </Link>
      <Link to={latestPath(threadId, newest)} onClick={jump('latest')} className={styles['jump']}>
        <ArrowDownIcon size={18} />
        <span className={styles['word']}>最新へ</span>
      </Link>
    </nav>
  )
}
