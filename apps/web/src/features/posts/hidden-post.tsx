import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import type { Hidden } from '../hiding/matcher.ts'
import { describeRule } from '../hiding/rules.ts'
import styles from './hidden-post.module.css'

interface HiddenPostProps {
  number: number
  hidden: Hidden
  onShow: (number: number) => void
}

/** The line that a hidden post leaves, with the reason; it can be shown all the same. */
export function HiddenPost({ number, hidden: { rule, answers }, onShow }: HiddenPostProps) {
  return (
    <article
      id={String(number)}
      data-keep={number}
      className={styles['line']}
      aria-label={`${number} あぼーん`}
      tabIndex={-1}
    >
      <span className={styles['number']}>{number}</span>
      <span>あぼーん</span>
      <span className={styles['reason']}>
        <Link to={paths.hiding}>NG</Link>：{answers === null ? describeRule(rule) : `>>${answers}への返信`}
      </span>
      <button type="button" className={styles['show']} onClick={() => onShow(number)}>
        表示<span className="visually-hidden">{`（${number}を）`}</span>
      </button>
    </article>
  )
}
