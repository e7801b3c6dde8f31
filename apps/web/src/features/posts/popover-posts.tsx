import { inFigures } from '@shinobi/contract/in-figures'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { numbersOf, type NumberRange } from '@shinobi/text/anchors'
import { useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { AnswerCount } from './answer-count.tsx'
import { postSpanQuery } from './api.ts'
import { HiddenPost } from './hidden-post.tsx'
import { countOf } from './parse-content.ts'
import { postPath } from './post-address.ts'
import { PostBody } from './post-body.tsx'
import { PosterId } from './poster-id.tsx'
import { PosterName } from './poster-name.tsx'
import styles from './popover-posts.module.css'
import { usePopovers } from './popover-context.ts'
import { useShownPost, useThreadActions } from './thread-context.ts'
import { useAnswers } from './use-answers.ts'
import { useHiding, type Hiding } from './use-hiding.ts'

/** Maximum of posts in one popover. */
const SHOWN_MAX = 10

/** Adjacent numbers go into one request: >>3-5 fetches once. */
export function spansOf(numbers: readonly number[]): { after: number; limit: number }[] {
  const spans: { after: number; limit: number }[] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last !== undefined && last.after + last.limit + 1 === number) last.limit += 1
    else spans.push({ after: number - 1, limit: 1 })
  }
  return spans
}

/**
 * The posts that an anchor names: those of the page at once, others as soon as they are fetched.
 */
export function PopoverPosts({ ranges }: { ranges: readonly NumberRange[] }) {
  const { threadId, newest, findPost, posts: loaded } = useThreadActions()
  const numbers = numbersOf(ranges, SHOWN_MAX)
  const missing = numbers.filter((number) => findPost(number) === undefined)
  const fetched = useQueries({
    queries: spansOf(missing).map(({ after, limit }) => postSpanQuery(threadId, after, limit)),
  })
  const posts = new Map<number, Post>(fetched.flatMap(({ data }) => data ?? []).map((post) => [post.number, post]))
  const waiting = fetched.some((query) => query.isPending)
  const failed = fetched.some((query) => query.isError)
  const more = countOf(ranges) - numbers.length
  const shown = numbers.flatMap((number) => findPost(number) ?? posts.get(number) ?? [])
  const answers = useAnswers(threadId, loaded(), newest.get())
  // An answer is hidden with the post that it answers, so all known posts count.
  const known = new Map([...loaded(), ...shown].map((post) => [post.number, post]))
  const hiding = useHiding(
    threadId,
    [...known.values()].toSorted((a, b) => a.number - b.number),
  )
  return (
    <>
      {shown.map((post) => (
        <PopoverPost key={post.number} post={post} hiding={hiding}>
          <KnownAnswers to={post.number} count={answers.get(post.number)?.length ?? 0} />
        </PopoverPost>
      ))}
      {waiting && <p className={styles['note']}>読み込み中…</p>}
      {failed && <p className={styles['note']}>{messages.posts_failed}</p>}
      {!waiting && !failed && shown.length === 0 && <p className={styles['note']}>{messages.post_not_found}</p>}
      {more > 0 && <p className={styles['note']}>ほか{inFigures(more)}件</p>}
    </>
  )
}

function KnownAnswers({ to, count }: { to: number; count: number }) {
  return count === 0 ? null : <AnswerCount number={to} count={count} />
}

interface PopoverPostProps {
  post: Post
  hiding: Hiding
  /** The end of its first line. */
  children?: ReactNode
}

/** A post outside of its place in the thread, or the line that it leaves where it is hidden. */
export function PopoverPost({ post, hiding, children }: PopoverPostProps) {
  const hidden = hiding.of(post.number)
  if (hidden !== undefined) return <HiddenPost number={post.number} hidden={hidden} onShow={hiding.show} />
  return <WholePost post={post}>{children}</WholePost>
}

function WholePost({ post, children }: Omit<PopoverPostProps, 'hiding'>) {
  const { threadId, goTo } = useThreadActions()
  const popovers = usePopovers()
  const shown = useShownPost(post)
  return (
    <article className={styles['post']}>
      <header className={styles['meta']}>
        <a
          href={postPath(threadId, post.number)}
          className={styles['number']}
          aria-label={`${post.number}へ移動`}
          onClick={(event) => {
            if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
            event.preventDefault()
            popovers.closeAll()
            goTo(post.number)
          }}
        >
          {post.number}
        </a>
        <PosterName post={shown} />
        <DateTime value={post.createdAt} exact />
        <PosterId post={post} />
        {children}
      </header>
      <PostBody post={shown} />
    </article>
  )
}
