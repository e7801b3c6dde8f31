import { inFigures } from '@shinobi/contract/in-figures'
import { ArrowDownIcon } from '../../ui/icons.tsx'
import styles from './new-posts-pill.module.css'

interface NewPostsPillProps {
  count: number
  /** `hasFocus`: the pill disappears and must hand the focus on. */
  onClick: (hasFocus: boolean) => void
}

/** Floats over the list when posts arrived out of view; ArrivalNews announces the count. */
export function NewPostsPill({ count, onClick }: NewPostsPillProps) {
  return (
    <div className={styles['place']}>
      {count > 0 && (
        <button
          type="button"
          className={styles['pill']}
          data-key="n"
          onClick={({ currentTarget }) => onClick(currentTarget === document.activeElement)}
        >
          <ArrowDownIcon size={18} />
          新着 {inFigures(count)} 件
        </button>
      )}
    </div>
  )
}
