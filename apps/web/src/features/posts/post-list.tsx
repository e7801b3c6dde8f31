import type { Post } from '@shinobi/contract/posts'
import { useEffect, useMemo, type Ref } from 'react'
import { KeptItem } from '../../lib/kept-item.tsx'
import { useSession } from '../accounts/use-session.ts'
import { adoptFormerOwnPosts, isOwnPost, useOwnPosts } from '../reading/own-posts.ts'
import { ReadLine } from '../reading/read-line.tsx'
import { backLinks } from './back-links.ts'
import { HiddenPost } from './hidden-post.tsx'
import styles from './post-list.module.css'
import { PostView } from './post-view.tsx'
import { useHiding } from './use-hiding.ts'
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
  const hiding = useHiding(threadId, posts)
  return (
    <ol ref={ref} className={styles['list']} aria-label="書き込み">
      {line > 0 && posts[0]?.number === line + 1 && (
        <li>
          <ReadLine />
        </li>
      )}
      {posts.map((post) => {
        const hidden = hiding.of(post.number)
        return (
          <KeptItem key={post._id} by={keyOf(post, answers.get(post.number))} hidden={hidden?.rule.traceless === true}>
            {hidden === undefined ? (
              <PostView
                post={post}
                answers={answers.get(post.number)}
                isOwn={isOwnPost(own, me, post)}
                isFresh={post.number > baseline}
              />
            ) : (
              <HiddenPost number={post.number} hidden={hidden} onShow={hiding.show} isTarget />
            )}
            {post.number === line && <ReadLine />}
          </KeptItem>
        )
      })}
    </ol>
  )
}
