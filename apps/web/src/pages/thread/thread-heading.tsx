import { inFigures } from '@shinobi/contract/in-figures'
import type { Thread } from '@shinobi/contract/threads'
import { DateTime } from '../../lib/date-time.tsx'
import { LikeButton } from '../../features/likes/like-button.tsx'
import { FavouriteButton } from '../../features/notebook/favourite-button.tsx'
import { useOwner } from '../../features/owners/owners.tsx'
import { LifeSeal } from '../../features/threads/life-seal.tsx'
import { SummarySeal } from '../../features/threads/summary-seal.tsx'
import { OutsideLink } from '../../ui/new-tab-link.tsx'
import { Seal, Tag } from '../../ui/seal.tsx'
import { ThreadLinks } from './thread-life.tsx'
import styles from './thread-page.module.css'
import { deferred } from '../../lib/deferred.tsx'

const WatchButton = deferred(
  async () => (await import('../../features/watching/watch-button.tsx')).WatchButton,
  'src/features/watching/watch-button.tsx',
)

/** What its opener may do with the thread; nothing for everybody else. */
function OwnerEntry() {
  const ask = useOwner()
  if (ask === null) return null
  return (
    <button
      type="button"
      className={styles['owner']}
      aria-haspopup="dialog"
      aria-label="スレ主の操作"
      onClick={() => ask(null)}
    >
      スレ主
    </button>
  )
}

/** Title and source of the thread. */
export function ThreadHeading({ thread }: { thread: Thread }) {
  return (
    <header className={styles['heading']}>
      <h1 className={styles['title']}>{thread.title}</h1>
      <div className={styles['facts']}>
        {thread.locked && <Seal>ロック</Seal>}
        <LifeSeal of={thread} />
        {thread.pinned !== null && <Seal tone="gold">固定</Seal>}
        <SummarySeal of={thread} />
        {thread.sourceSite !== null && <Tag>出典: {thread.sourceSite}</Tag>}
        {thread.sourceUrl !== null && (
          <OutsideLink url={thread.sourceUrl} iconSize={14} className={styles['source']}>
            元記事
          </OutsideLink>
        )}
        <span className="meta">
          <DateTime value={thread.createdAt} />
        </span>
        <span className="meta">投稿 {inFigures(thread.postCount)}</span>
        <span className={styles['actions']}>
          <OwnerEntry />
          <WatchButton thread={thread} />
          <FavouriteButton thread={thread} />
          <LikeButton of={thread} />
        </span>
      </div>
      <ThreadLinks thread={thread} />
    </header>
  )
}
