import { isWebAddress } from '@shinobi/contract/text'
import type { Thread } from '@shinobi/contract/threads'
import { DateTime } from '../../lib/date-time.tsx'
import { LikeButton } from '../../features/likes/like-button.tsx'
import { SummarySeal } from '../../features/threads/summary-seal.tsx'
import { ExternalIcon } from '../../ui/icons.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import styles from './thread-page.module.css'
import { inFigures } from '../../lib/in-figures.ts'

/** Title, and where the thread comes from. */
export function ThreadHeading({ thread }: { thread: Thread }) {
  return (
    <header className={styles['heading']}>
      <h1 className={styles['title']}>{thread.title}</h1>
      <p className={styles['facts']}>
        {thread.locked && <Seal>ロック</Seal>}
        {thread.pinned !== null && <Seal tone="gold">固定</Seal>}
        <SummarySeal of={thread} />
        {thread.sourceSite !== null && <Tag>出典: {thread.sourceSite}</Tag>}
        {/* The contract promises it; an address from outside is checked again where it becomes a link. */}
        {thread.sourceUrl !== null && isWebAddress(thread.sourceUrl) && (
          <a href={thread.sourceUrl} target="_blank" rel="noopener noreferrer" className={styles['source']}>
            元記事
            <ExternalIcon size={14} />
            <span className="visually-hidden">（新しいタブで開きます）</span>
          </a>
        )}
        <span className="meta">
          <DateTime value={thread.createdAt} />
        </span>
        <span className="meta">投稿 {inFigures(thread.postCount)}</span>
        <span className={styles['like']}>
          <LikeButton of={thread} />
        </span>
      </p>
    </header>
  )
}
