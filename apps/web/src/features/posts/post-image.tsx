import type { Post } from '@shinobi/contract/posts'
import styles from './post-view.module.css'

/** Longest edge in which a picture stands in the thread. */
const SHOWN_EDGE = 320
/** For the rare picture without known edges. */
const UNKNOWN = 240

/** The small copy in a box of its final size, so that nothing moves when it arrives; it opens the full one. */
export function PostImage({
  post,
}: {
  post: Pick<Post, 'imageUrl' | 'thumbnailUrl' | 'imageWidth' | 'imageHeight' | 'number'>
}) {
  if (post.imageUrl === null) return null
  const [width, height] = [post.imageWidth ?? UNKNOWN, post.imageHeight ?? UNKNOWN]
  const scale = Math.min(1, SHOWN_EDGE / Math.max(width, height, 1))
  return (
    <a
      className={styles['image']}
      href={post.imageUrl}
      target="_blank"
      rel="noopener"
      aria-label={`${post.number}の画像を原寸で開く`}
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
