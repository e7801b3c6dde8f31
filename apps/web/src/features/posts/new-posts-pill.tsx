import { inFigures } from '@shinobi/contract/in-figures'
import { ArrowDownIcon } from '../../ui/icons.tsx'
import styles from './new-posts-pill.module.css'

/**
 * Floats over the list when posts arrived out of view; screen readers announce the count politely.
 */
export function NewPostsPill({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <div className={styles['place']} role="status">
      {count > 0 && (
        <button type="button" className={styles['pill']} data-key="n" onClick={onClick}>
          <ArrowDownIcon size={18} />
          新着 {inFigures(count)} 件
        </button>
      )}
    </div>
  )
}
