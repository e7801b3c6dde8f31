import type { Post } from '@shinobi/contract/posts'
import styles from './post-view.module.css'
import { useThreadActions } from './thread-context.ts'

/** Longest edge in which a picture stands in the thread. */
const SHOWN_EDGE = 320
/** For the rare picture without known edges. */
const UNKNOWN = 240

/** The small copy in a box of its final size, so that nothing moves when it arrives; it opens the full one in the viewer. */
export function PostImage({ post }: { post: Post }) {
  const { viewImage } = useThreadActions()
  if (post.imageUrl === null) return null
  const [width, height] = [post.imageWidth ?? UNKNOWN, post.imageHeight ?? UNKNOWN]
  const scale = Math.min(1, SHOWN_EDGE / Math.max(width, height, 1))
  return (
    <a
      className={styles['image']}
      href={post.imageUrl}
      target="_blank"
      rel="noopener"
      aria-label={`${post.number}の画像を開く`}
      data-image=""
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        viewImage(post)
      }}
    >
      <img
        src={post.thumbnailUrl ?? post.imageUrl}
        width={Math.max(1, Math.round(width * scale))}
        height={Math.max(1, Math.round(height * scale))}
        alt={`${post.number}の画像`}
        loading="lazy"
        decoding="async"
      />
    </a>
  )
}
