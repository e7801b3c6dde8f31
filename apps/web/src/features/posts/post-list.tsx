import type { OwnerAction } from '@shinobi/contract/owners'
import type { Post } from '@shinobi/contract/posts'
import { memo, useEffect, useState, type Ref } from 'react'
import { useUserId } from '../accounts/use-session.ts'
import { adoptFormerOwnPosts, useOwnPosts } from '../reading/own-posts.ts'
import { ReadLine } from '../reading/read-line.tsx'
import { groupPosts, PostGroup } from './post-group.tsx'
import styles from './post-list.module.css'
import { useAnswers } from './use-answers.ts'
import { useHiddenFocus } from './use-hidden-focus.ts'
import { useHiding } from './use-hiding.ts'

interface PostListProps {
  ref: Ref<HTMLDivElement>
  threadId: string
  posts: readonly Post[]
  /** Number of the last post of the thread. */
  newest: number
  /** Posts above this number arrived while the page was open. */
  baseline: number
  /** Number of the last post that was read before this visit; 0 on the first one. */
  line: number
  /** Of the opener, below post 1. */
  notes: readonly OwnerAction[]
}

/** Posts in view when a window is opened, and at its end: a tall screen full of short ones. */
const FIRST = 5
const LAST = 20

const endsOf = (posts: readonly Post[]): ReadonlySet<number> =>
  new Set([...posts.slice(0, FIRST), ...posts.slice(-LAST)].map(({ number }) => number))

/** The posts of the window, with the line 「ここまで読んだ」. */
export const PostList = memo(function PostList({ ref, threadId, posts, newest, baseline, line, notes }: PostListProps) {
  const answers = useAnswers(threadId, posts, newest)
  const own = useOwnPosts(threadId)
  const me = useUserId()
  useEffect(() => adoptFormerOwnPosts(posts), [posts])
  const hiding = useHiding(threadId, posts)
  const focus = useHiddenFocus()
  const [laidOut] = useState(() => endsOf(posts))
  // Inside a post that leaves no trace the line would not be seen.
  let drawn = line
  while (hiding.of(drawn)?.rule.traceless === true) drawn -= 1
  return (
    <div ref={ref} role="group" className={styles['list']} aria-label="書き込み" {...focus}>
      {line > 0 && posts[0]?.number === drawn + 1 && <ReadLine />}
      {groupPosts(posts).map(([number, group]) => (
        <PostGroup
          key={number}
          posts={group}
          answers={answers}
          own={own}
          me={me}
          hiding={hiding}
          baseline={baseline}
          line={drawn}
          laidOut={laidOut}
          notes={notes}
        />
      ))}
    </div>
  )
})
