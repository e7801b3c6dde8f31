import { inFigures } from '@shinobi/contract/in-figures'
import { stageOf } from '@shinobi/contract/thread-life'
import type { Thread, ThreadLink } from '@shinobi/contract/threads'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { LifeSeal } from '../../features/threads/life-seal.tsx'
import { moveDraft } from '../../lib/use-draft.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import styles from './thread-life.module.css'

/** 前スレ and 次スレ, at the top and the end of a thread; nothing where there are none. */
export function ThreadLinks({ thread }: { thread: Thread }) {
  const { previous, next } = thread
  if (previous === null && next === null) return null
  return (
    <nav aria-label="前後のスレッド" className={styles['links']}>
      {previous !== null && <Neighbour label="前スレ" to={previous} />}
      {/* Text that was typed into the full thread goes on to the next one. */}
      {next !== null && (
        <Neighbour label="次スレ" to={next} onFollow={() => moveDraft(`post:${thread._id}`, `post:${next._id}`)} />
      )}
    </nav>
  )
}

function Neighbour({ label, to, onFollow }: { label: string; to: ThreadLink; onFollow?: () => void }) {
  return (
    <Link to={paths.thread(to._id)} className={styles['link']} {...(onFollow && { onClick: onFollow })}>
      <span className={styles['label']}>{label}</span>
      <span className={styles['title']}>{to.title}</span>
    </Link>
  )
}

/** Below the newest post: how the thread goes on. */
export function ThreadEnd({ thread }: { thread: Thread }) {
  const stage = stageOf(thread)
  const { _id, postCount, postLimit, next } = thread
  if (stage === 'open') return <ThreadLinks thread={thread} />
  // A thread above a lowered limit takes one last post.
  const left = Math.max(1, postLimit - postCount)
  return (
    <section aria-label="スレッドの終わり" className={styles['end']}>
      <p className={styles['words']}>
        <LifeSeal of={thread} />
        {stage === 'past' ? (
          <span>{inFigures(postCount)}件に達したため、書き込みは終わりました。</span>
        ) : (
          <span>あと{inFigures(left)}件で終わります。</span>
        )}
      </p>
      {next === null && (
        <ButtonLink to={paths.createNext(_id)} variant="secondary" icon={<PlusIcon size={18} />} rel="nofollow">
          次スレを立てる
        </ButtonLink>
      )}
      <ThreadLinks thread={thread} />
    </section>
  )
}
