import { ArrowDownIcon, CloseIcon } from '../../ui/icons.tsx'
import styles from './new-posts-pill.module.css'

/** Says that 実況 waits for the reader, and leads back to the newest post. */
export function FollowingPill({ onResume, onEnd }: { onResume: () => void; onEnd: () => void }) {
  return (
    <div className={styles['paused']} role="group" aria-label="実況">
      <button type="button" className={styles['resume']} onClick={onResume}>
        <ArrowDownIcon size={18} />
        一時停止中 · 最新へ戻る
      </button>
      <button type="button" className={styles['end']} title="実況をやめる" onClick={onEnd}>
        <CloseIcon size={18} />
        <span className="visually-hidden">実況をやめる</span>
      </button>
    </div>
  )
}
