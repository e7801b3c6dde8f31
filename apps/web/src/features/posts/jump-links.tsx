import type { MouseEvent } from 'react'
import { Link } from 'react-router'
import { cx } from '../../ui/cx.ts'
import { ArrowDownIcon, ListIcon } from '../../ui/icons.tsx'
import { latestPath, postPath } from './post-address.ts'
import styles from './thread-dock.module.css'

interface JumpLinksProps {
  threadId: string
  newest: number
  /**
   * Goes there within the page; returns false when that part is not loaded, so that the link is
   * followed.
   */
  onJump: (to: 'first' | 'latest') => boolean
  /** Opens the dialog for moving to any post and for lists of picked posts. */
  onTools: () => void
}

/** 最初へ (a narrow dock has it while open), 抽出・移動 and 最新へ, in reach of the thumb. */
export function JumpLinks({ threadId, newest, onJump, onTools }: JumpLinksProps) {
  const jump = (to: 'first' | 'latest') => (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (onJump(to)) event.preventDefault()
  }
  return (
    <nav aria-label="移動" className={styles['jumps']}>
      <Link to={postPath(threadId, 1)} onClick={jump('first')} className={styles['jump']} data-when-open="">
        <ArrowDownIcon size={18} className={styles['up']} />
        <span className={styles['word']}>最初へ</span>
      </Link>
      <button
        type="button"
        className={cx(styles['jump'], styles['tools'])}
        title="抽出・移動"
        data-key="g"
        aria-haspopup="dialog"
        onClick={onTools}
      >
        <ListIcon size={18} />
        <span className={styles['word']}>抽出・移動</span>
      </button>
      <Link to={latestPath(threadId, newest)} onClick={jump('latest')} className={styles['jump']}>
        <ArrowDownIcon size={18} />
        <span className={styles['word']}>最新へ</span>
      </Link>
    </nav>
  )
}
