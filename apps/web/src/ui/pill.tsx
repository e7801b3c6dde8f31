import { ArrowDownIcon } from './icons.tsx'
import styles from './pill.module.css'
import { inFigures } from '../lib/in-figures.ts'

/** Floats over the list when posts arrived out of sight; the count is read out politely. */
export function NewPostsPill({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div className={styles['place']} role="status">
      {count > 0 && (
        <button type="button" className={styles['pill']} onClick={onClick}>
          <ArrowDownIcon size={18} />
          新着 {inFigures(count)} 件
        </button>
      )}
    </div>
  )
}
