import { EyeIcon } from '../../ui/icons.tsx'
import { keepThread, type KeptThread } from '../notebook/changes.ts'
import { useWatching, watchThread } from './store.ts'
import styles from './watch-button.module.css'

/** 見張る: whether new posts of the thread are told; off until the choice is read. */
export function WatchButton({ thread }: { thread: KeptThread }) {
  const isOn = useWatching().threads.includes(thread._id)
  const turn = () => {
    watchThread(thread._id, thread.postCount, !isOn)
    // What is new is told of threads with a record.
    if (!isOn) keepThread(thread).catch(() => {})
  }
  return (
    <button
      type="button"
      className={styles['watch']}
      aria-pressed={isOn}
      title={isOn ? '新しい書き込みを知らせています' : '新しい書き込みを矢文で知らせます'}
      onClick={turn}
    >
      <EyeIcon size={18} />
      <span className={styles['word']}>見張る</span>
    </button>
  )
}
