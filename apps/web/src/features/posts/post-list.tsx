import type { Post } from '@shinobi/contract/posts'
import { useEffect, useMemo, useState, type Ref } from 'react'
import { KeptItem } from '../../lib/kept-item.tsx'
import { useSession } from '../accounts/use-session.ts'
import { adoptFormerOwnPosts, isOwnPost, useOwnPosts } from '../reading/own-posts.ts'
import { ReadLine } from '../reading/read-line.tsx'
import { useHiddenPosts } from '../hiding/use-match.ts'
import { backLinks } from './back-links.ts'
import { HiddenPost } from './hidden-post.tsx'
import { toHideable } from './hideable.ts'
import styles from './post-list.module.css'
import { PostView } from './post-view.tsx'
import { usePostKey } from './use-post-key.ts'

interface PostListProps {
  ref: Ref<HTMLOListElement>
  threadId: string
  posts: readonly Post[]
  /** Posts above this number arrived while the page was open. */
  baseline: number
  /** Number of the last post that was read before this visit; 0 on the first one. */
  line: number
}

/** The posts of the window, with the line 「ここまで読んだ」. */
export function PostList({ ref, threadId, posts, baseline, line }: PostListProps) {
  const answers = useMemo(() => backLinks(posts), [posts])
  const own = useOwnPosts(threadId)
  const me = useSession().user?._id
  useEffect(() => adoptFormerOwnPosts(posts), [posts])
  const keyOf = usePostKey()
  const hidden = useHiddenPosts(threadId, posts, toHideable)
  /** Numbers of hidden posts that the visitor wants to see all the same. */
  const [revealed, setRevealed] = useState<ReadonlySet<number>>(new Set())
  return (
    <ol ref={ref} className={styles['list']} aria-label="書き込み">
      {line > 0 && posts[0]?.number === line + 1 && (
        <li>
          <ReadLine />
        </li>
      )}
      {posts.map((post) => {
        const hiding = revealed.has(post.number) ? undefined : hidden.get(post.number)
        return (
          <KeptItem key={post._id} by={keyOf(post, answers.get(post.number))} hidden={hiding?.rule.traceless === true}>
            {hiding === undefined ? (
              <PostView
                post={post}
                answers={answers.get(post.number)}
                isOwn={isOwnPost(own, me, post)}
                isFresh={post.number > baseline}
              />
            ) : (
              <HiddenPost
                number={post.number}
                hidden={hiding}
                onShow={(number) => setRevealed((known) => new Set(known).add(number))}
              />
            )}
            {post.number === line && <ReadLine />}
          </KeptItem>
        )
      })}
    </ol>
  )
}
