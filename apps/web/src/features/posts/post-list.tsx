import type { Post } from '@shinobi/contract/posts'
import { useMemo, useSyncExternalStore } from 'react'
import { useSession } from '../../lib/use-session.ts'
import { backLinks } from './back-links.ts'
import { isOwnPost, noOwnPosts, ownPosts, subscribeOwnPosts } from './own-posts.ts'
import styles from './post-list.module.css'
import { PostView } from './post-view.tsx'

/** The posts of the window. `baseline`: posts above it arrived while the page was open. */
export function PostList({ posts, baseline }: { posts: readonly Post[]; baseline: number }) {
  const answers = useMemo(() => backLinks(posts), [posts])
  const own = useSyncExternalStore(subscribeOwnPosts, ownPosts, noOwnPosts)
  const me = useSession().user?._id
  return (
    <ol className={styles['list']} aria-label="書き込み">
      {posts.map((post) => (
        <li key={post._id}>
          <PostView
            post={post}
            answers={answers.get(post.number)}
            isOwn={isOwnPost(own, me, post)}
            isFresh={post.number > baseline}
          />
        </li>
      ))}
    </ol>
  )
}
