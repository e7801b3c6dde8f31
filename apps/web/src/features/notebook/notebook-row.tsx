import { memo } from 'react'
import { Link } from 'react-router'
import { inFigures } from '@shinobi/contract/in-figures'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { Seal } from '../../ui/seal.tsx'
import styles from './notebook.module.css'
import type { ListName, NotebookRow } from './rows.ts'

interface NotebookRowProps {
  row: NotebookRow
  list: ListName
  onRemove: (row: NotebookRow, button: HTMLElement) => void
}

/** A thread of the notebook. The link of its title covers the row; the button lies above it. */
export const NotebookRowView = memo(
  function NotebookRowView({ row, list, onRemove }: NotebookRowProps) {
    const { threadId, postCount, unread, lastPostAt, isRemoved, isLocked, ownPosts } = row
    const title = row.title || '（タイトルなし）'
    const verb = list === 'favourites' && !isRemoved ? '外す' : '消す'
    return (
      <li className={styles['row']} data-unread={unread}>
        <h2 className={styles['title']}>
          {isRemoved ? (
            // Still reached by the keys, which lead to its button.
            <span className={styles['gone']} data-row="" tabIndex={-1}>
              {title}
            </span>
          ) : (
            <Link to={paths.thread(threadId)} className={styles['link']} data-row="">
              {title}
            </Link>
          )}
        </h2>
        <p className={`meta ${styles['meta']}`}>
          {isRemoved ? (
            <span className={styles['removed']}>削除されました</span>
          ) : (
            <>
              <span className={styles['unread']}>
                {unread > 0 && (
                  <>
                    <span className="visually-hidden">未読 </span>+{inFigures(unread)}
                  </>
                )}
              </span>
              <span className={styles['count']}>投稿 {inFigures(postCount)}</span>
              {list === 'posts' && <span>自分 {inFigures(ownPosts)}件</span>}
              {lastPostAt !== null && (
                <span className={styles['last']}>
                  <span className="visually-hidden">最後の書き込み </span>
                  <DateTime value={new Date(lastPostAt).toISOString()} />
                </span>
              )}
              {isLocked && <Seal>ロック</Seal>}
            </>
          )}
        </p>
        <button
          type="button"
          className={styles['remove']}
          aria-label={verb === '外す' ? `「${title}」をお気に入りから外す` : `「${title}」を消す`}
          onClick={({ currentTarget }) => onRemove(row, currentTarget)}
        >
          {verb}
        </button>
      </li>
    )
  },
  (before, after) =>
    before.list === after.list &&
    (Object.keys(before.row) as (keyof NotebookRow)[]).every((field) => before.row[field] === after.row[field]),
)
