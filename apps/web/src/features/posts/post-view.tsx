import type { Post } from '@shinobi/contract/posts'
import { memo } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { cx } from '../../ui/cx.ts'
import { LikeButton } from '../likes/like-button.tsx'
import { AnswerCount } from './answer-count.tsx'
import { ANSWERS_LINKED_MAX } from './back-links.ts'
import { postPath } from './post-address.ts'
import { PostBody } from './post-body.tsx'
import { usePostMenu } from './post-menu-context.ts'
import { PosterId } from './poster-id.tsx'
import { PosterName } from './poster-name.tsx'
import styles from './post-view.module.css'
import { useShownPost, useThreadActions } from './thread-context.ts'

const NO_ANSWERS: readonly number[] = []

interface PostViewProps {
  post: Post
  /** Numbers of the posts that answer this one. */
  answers?: readonly number[] | undefined
  isOwn: boolean
  /** It arrived while the page was open: a line is drawn once. */
  isFresh: boolean
}

/** Whether the writer can be told from others by what stands in place of the name. */
export const isNamed = ({ name, trip }: Pick<Post, 'name' | 'trip'>): boolean => name !== null || trip !== undefined

/**
 * A post in the layout of textboards: number, name, time and ID on one line, then the body. The
 * line ends with the number of answers and the likes. The number opens the actions, a press on the
 * name or on the ID shows all posts of the writer (post-menus.tsx).
 */
export const PostView = memo(function PostView({ post, answers = NO_ANSWERS, isOwn, isFresh }: PostViewProps) {
  const { number } = post
  const shown = useShownPost(post)
  return (
    <article
      id={String(number)}
      data-keep=""
      data-post=""
      className={cx(styles['post'], isOwn && styles['own'], isFresh && styles['fresh'])}
      aria-labelledby={`${number}-meta`}
      tabIndex={-1}
    >
      <header className={styles['meta']}>
        <span className={styles['head']} id={`${number}-meta`}>
          <PostNumber post={post} />
          <PosterName post={shown} isOwn={isOwn} className={cx(styles['who'], isNamed(post) && styles['named'])} />
          <DateTime value={post.createdAt} exact className={styles['time']} />
          <PosterId post={post} />
        </span>
        {(answers.length > 0 || !post.deleted) && (
          <span className={styles['marks']}>
            {/* Filled by post-menus.tsx. */}
            <span data-actions="" />
            {answers.length > 0 && <Answers to={number} numbers={answers} />}
            {!post.deleted && <LikeButton of={post} />}
          </span>
        )}
      </header>
      <PostBody post={shown} />
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

/** The post's permanent address; a press opens the menu of its actions. */
function PostNumber({ post }: { post: Post }) {
  const { threadId } = useThreadActions()
  const open = usePostMenu()
  return (
    <a
      href={postPath(threadId, post.number)}
      className={styles['number']}
      data-number=""
      aria-haspopup={post.deleted ? undefined : 'dialog'}
      onClick={(event) => {
        if (post.deleted || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        open(post, event.currentTarget)
      }}
    >
      {post.number}
    </a>
  )
}

/** Without JavaScript the answers are links. */
function Answers({ to, numbers }: { to: number; numbers: readonly number[] }) {
  const { threadId } = useThreadActions()
  return (
    <>
      <AnswerCount number={to} count={numbers.length} />
      <noscript>
        {numbers.slice(0, ANSWERS_LINKED_MAX).map((number) => (
          <a key={number} href={postPath(threadId, number)}>{`>>${number} `}</a>
        ))}
      </noscript>
    </>
  )
}
