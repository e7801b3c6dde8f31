import type { Post } from '@shinobi/contract/posts'
import { cx } from '../../ui/cx.ts'
import styles from './poster-id.module.css'

/** From so many posts in a thread on, the ID of a writer stands out. */
const FREQUENT_MIN = 5

type Spoken = Pick<Post, 'posterId' | 'posterNth' | 'posterTotal'>

export const idClasses = ({ posterTotal = 0 }: Spoken): string =>
  cx(styles['id'], posterTotal >= FREQUENT_MIN && styles['frequent'])

/** The ID, and which of how many of its posts this is; one alone is not counted. */
export const idLabel = ({ posterId, posterNth, posterTotal = 0 }: Spoken): string =>
  `ID:${posterId}${posterNth !== undefined && posterTotal > 1 ? ` (${posterNth}/${posterTotal})` : ''}`

/** A press lists all posts with the ID (post-menus.tsx). */
export function PosterId({ post }: { post: Spoken }) {
  if (post.posterId === undefined) return null
  return (
    <button type="button" className={idClasses(post)} data-poster={post.posterId} aria-haspopup="dialog">
      {idLabel(post)}
    </button>
  )
}
