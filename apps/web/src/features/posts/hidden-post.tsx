import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import type { Hidden } from '../hiding/matcher.ts'
import { whyHidden } from '../hiding/why-hidden.ts'
import styles from './hidden-post.module.css'

interface HiddenPostProps {
  number: number
  hidden: Hidden
  onShow: (number: number) => void
  /** The post's own place in the thread, which addresses lead to; elsewhere it is a copy. */
  isTarget?: boolean
}

/** The line that a hidden post leaves, with the reason; it can be shown all the same. */
export function HiddenPost({ number, hidden, onShow, isTarget = false }: HiddenPostProps) {
  return (
    <article
      {...(isTarget && { id: String(number), 'data-keep': '' })}
      className={styles['line']}
      aria-label={`${number} あぼーん`}
      tabIndex={-1}
    >
      <span className={styles['number']}>{number}</span>
      <span>あぼーん</span>
      <span className={styles['reason']}>
        <Link to={paths.hiding}>NG</Link>：{whyHidden(hidden)}
      </span>
      <button type="button" className={styles['show']} onClick={() => onShow(number)}>
        表示<span className="visually-hidden">{`（${number}を）`}</span>
      </button>
    </article>
  )
}
