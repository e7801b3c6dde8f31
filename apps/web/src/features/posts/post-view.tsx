import type { Post } from '@shinobi/contract/posts'
import { memo } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { cx } from '../../ui/cx.ts'
import { ReplyIcon } from '../../ui/icons.tsx'
import { AnchorLink } from './anchor-link.tsx'
import { CopyLink } from './copy-link.tsx'
import { PostBody } from './post-body.tsx'
import { PosterName } from './poster-name.tsx'
import styles from './post-view.module.css'
import { useShownPost, useThreadActions } from './thread-context.ts'

/** A post that half the thread answered does not need a paragraph of numbers. */
const ANSWERS_SHOWN = 12

const NO_ANSWERS: readonly number[] = []

interface PostViewProps {
  post: Post
  /** Numbers of loaded posts that answer this one. */
  answers?: readonly number[] | undefined
  isOwn: boolean
  /** It arrived while the page was open: a line is drawn once. */
  isFresh: boolean
}

/** A post like on a good textboard: number, name, time on one line, and what was said. */
export const PostView = memo(function PostView({ post, answers = NO_ANSWERS, isOwn, isFresh }: PostViewProps) {
  const { threadId, reply, slots } = useThreadActions()
  const { number } = post
  const shown = useShownPost(post)
  return (
    <article
      id={String(number)}
      data-keep={number}
      className={cx(styles['post'], isOwn && styles['own'], isFresh && styles['fresh'])}
      aria-labelledby={`${number}-meta`}
      tabIndex={-1}
    >
      <header className={styles['meta']} id={`${number}-meta`}>
        <span className={styles['number']}>{number}</span>
        <PosterName post={shown} isOwn={isOwn} />
        {isOwn && <span className="visually-hidden">自分の書き込み</span>}
        <DateTime value={post.createdAt} className={styles['time']} />
      </header>
      <PostBody post={shown} />
      <footer className={styles['foot']}>
        {answers.length > 0 && <Answers numbers={answers} />}
        {!post.deleted && (
          <div className={styles['actions']}>
            {reply !== null && (
              <button type="button" className={cx(styles['action'], styles['scripted'])} onClick={() => reply(number)}>
                返信<span className="visually-hidden">{`（${number}へ）`}</span>
              </button>
            )}
            <CopyLink threadId={threadId} number={number} />
            <slots.Report post={shown} className={cx(styles['action'], styles['scripted'])} />
            <slots.Manage post={shown} className={cx(styles['action'], styles['scripted'])} />
            <span className={styles['like']} data-some={post.likes > 0 || undefined}>
              <slots.Like of={post} />
            </span>
          </div>
        )}
      </footer>
    </article>
  )
}, isSame)

function isSame(before: PostViewProps, after: PostViewProps): boolean {
  return (
    before.post === after.post &&
    before.isOwn === after.isOwn &&
    before.isFresh === after.isFresh &&
    String(before.answers) === String(after.answers)
  )
}

function Answers({ numbers }: { numbers: readonly number[] }) {
  const more = numbers.length - ANSWERS_SHOWN
  return (
    <p className={styles['answers']}>
      <ReplyIcon size={14} />
      <span className="visually-hidden">この書き込みへの返信</span>
      {numbers.slice(0, ANSWERS_SHOWN).map((number) => (
        <span key={number} className={styles['answer']}>
          <AnchorLink text={`>>${number}`} ranges={[{ from: number, to: number }]} />
        </span>
      ))}
      {more > 0 && <span>ほか{more}件</span>}
    </p>
  )
}
