import type { ModerationCase } from '@shinobi/contract/moderation'
import { useEffect, useRef } from 'react'
import { cx } from '../../ui/cx.ts'
import styles from './desk.module.css'
import { textOfPost } from './text-of-post.ts'

export const keyOfCase = ({ thread, post }: ModerationCase): string => `${thread._id}/${post._id}`

interface CaseListProps {
  cases: readonly ModerationCase[]
  current: string | null
  problems: ReadonlyMap<string, string>
  onSelect: (one: ModerationCase) => void
}

/** The other cases on the desk. */
export function CaseList({ cases, current, problems, onSelect }: CaseListProps) {
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <ol ref={list} className={styles['list']} aria-label="通報された書き込み">
      {cases.map((one) => {
        const key = keyOfCase(one)
        return (
          <li key={key}>
            <button
              type="button"
              className={cx(styles['entry'])}
              aria-current={key === current || undefined}
              onClick={() => onSelect(one)}
            >
              <span className={styles['count']}>
                {one.voices}
                <span className="visually-hidden">人が通報</span>
              </span>
              <span className={styles['words']}>
                <span className={styles['line']}>{textOfPost(one.post)}</span>
                <span className={styles['sub']}>
                  {problems.has(key) && <b className={styles['failed']}>未完了 </b>}
                  {one.thread.title}
                </span>
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
