import type { ThreadItem } from '@shinobi/contract/threads'
import { memo, type ComponentType } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { ExternalIcon, FlameIcon } from '../../ui/icons.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { SummarySeal } from './summary-seal.tsx'
import styles from './thread-row.module.css'
import { inFigures } from '../../lib/in-figures.ts'

interface ThreadRowProps {
  thread: ThreadItem
  /** Its likes; given by the page. */
  Like: ComponentType<{ of: ThreadItem }>
  /** Whether who looks has just made it. */
  isNew: boolean
}

/** A thread in a list. The whole row is the link of its title; the article's link and the likes lie above it. */
export const ThreadRow = memo(function ThreadRow({ thread, Like, isNew }: ThreadRowProps) {
  const picture = thread.thumbnailUrl ?? thread.imageUrl
  return (
    <li
      className={styles['row']}
      id={thread._id}
      data-keep={thread._id}
      data-ai={thread.aiGenerated || undefined}
      data-new={isNew || undefined}
    >
      <article className={styles['words']}>
        <h2 className={styles['title']}>
          <Link to={paths.thread(thread._id)} className={styles['link']}>
            {thread.title}
          </Link>
        </h2>
        <div className={`meta ${styles['meta']}`}>
          <DateTime value={thread.createdAt} />
          <span>
            投稿 <b className={styles['figure']}>{inFigures(thread.postCount)}</b>
          </span>
          {isNew && <span className={styles['new']}>新着</span>}
          {thread.pinned !== null && <Seal tone="gold">固定</Seal>}
          {thread.locked && <Seal>ロック</Seal>}
          <SummarySeal of={thread} />
          {thread.sourceSite !== null && <Tag>出典: {thread.sourceSite}</Tag>}
          {thread.sourceUrl !== null && (
            <a
              href={thread.sourceUrl}
              target="_blank"
              rel="noopener noreferrer nofollow ugc"
              className={styles['source']}
            >
              元記事
              <ExternalIcon size={14} />
              <span className="visually-hidden">（新しいタブで開きます）</span>
            </a>
          )}
          <span className={styles['like']}>
            <Like of={thread} />
          </span>
        </div>
      </article>
      {picture !== null && (
        <img
          className={styles['picture']}
          src={picture}
          alt=""
          width={96}
          height={64}
          loading="lazy"
          decoding="async"
        />
      )}
    </li>
  )
})

/** How many likes, as a figure. */
export function LikeCount({ likes }: { likes: number }) {
  return (
    <span className={styles['likes']} data-some={likes > 0 || undefined}>
      <FlameIcon size={14} />
      <span className="visually-hidden">いいね </span>
      <b className={styles['figure']}>{inFigures(likes)}</b>
    </span>
  )
}
