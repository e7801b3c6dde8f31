import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import type { ThreadItem } from '@shinobi/contract/threads'
import { memo } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { DateTime, ShortTime } from '../../lib/date-time.tsx'
import { deferred } from '../../lib/deferred.tsx'
import { FlameIcon } from '../../ui/icons.tsx'
import { OutsideLink } from '../../ui/new-tab-link.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { LikeButton } from '../likes/like-button.tsx'
import { UnreadMark } from '../reading/unread-mark.tsx'
import { LifeSeal } from './life-seal.tsx'
import { Speed } from './speed.tsx'
import { SummarySeal } from './summary-seal.tsx'
import styles from './thread-row.module.css'

/** Only rows that a search found have one. */
export const SearchMatch = deferred(
  async () => (await import('./search-match.tsx')).SearchMatch,
  'src/features/threads/search-match.tsx',
)

interface ThreadRowProps {
  thread: ThreadItem
  /** Created by this visitor, or by somebody while the list was open. */
  isNew: boolean
  /** Whether the list has threads of several categories. */
  namesCategory: boolean
}

/**
 * A thread in a list. The link of its title covers the whole row; the article's link and the likes
 * lie above it.
 */
export const ThreadRow = memo(function ThreadRow({ thread, isNew, namesCategory }: ThreadRowProps) {
  const picture = thread.thumbnailUrl ?? thread.imageUrl
  const isNews = thread.summary !== null || thread.sourceSite !== null || thread.sourceUrl !== null
  return (
    <li
      className={styles['row']}
      id={thread._id}
      data-keep=""
      data-ai={thread.aiGenerated || undefined}
      data-new={isNew || undefined}
    >
      <article className={styles['words']}>
        <h2 className={styles['title']}>
          {thread.pinned !== null && <Seal tone="gold">固定</Seal>}
          {thread.locked && <Seal>ロック</Seal>}
          <LifeSeal of={thread} />
          {isNew && <span className={styles['new']}>新着</span>}
          <Link to={paths.thread(thread._id)} className={styles['link']}>
            {thread.title}
          </Link>
          <UnreadMark threadId={thread._id} postCount={thread.postCount} className={styles['unread']} />
        </h2>
        <div className={`meta ${styles['figures']}`}>
          <span>
            投稿 <b className={styles['figure']}>{inFigures(thread.postCount)}</b>
          </span>
          <Speed of={thread} />
          <ShortTime label="最終" value={thread.lastPostAt} />
        </div>
        <div className={`meta ${styles['facts']}`}>
          <DateTime value={thread.createdAt} />
          {namesCategory && <span className={styles['category']}>{categoryLabel(thread.category)}</span>}
        </div>
        {isNews && (
          <div className={`meta ${styles['chips']}`}>
            <SummarySeal of={thread} />
            {thread.sourceSite !== null && <Tag>出典: {thread.sourceSite}</Tag>}
            {thread.sourceUrl !== null && (
              <OutsideLink url={thread.sourceUrl} iconSize={14} className={styles['source']}>
                元記事
              </OutsideLink>
            )}
          </div>
        )}
        {picture !== null && (
          <img
            className={styles['picture']}
            data-veil=""
            src={picture}
            alt=""
            width={96}
            height={64}
            loading="lazy"
            decoding="async"
          />
        )}
        <div className={styles['like']}>
          <LikeButton of={thread} stacked />
        </div>
        {thread.match !== undefined && <SearchMatch threadId={thread._id} match={thread.match} />}
      </article>
    </li>
  )
})

/** The number of likes. */
export function LikeCount({ likes }: { likes: number }) {
  return (
    <span className={styles['likes']} data-some={likes > 0 || undefined}>
      <FlameIcon size={14} />
      <span className="visually-hidden">いいね </span>
      <b className={styles['figure']}>{inFigures(likes)}</b>
    </span>
  )
}
