import type { Post } from '@shinobi/contract/posts'
import { useVeil } from '../display/use-veil.ts'
import styles from './post-view.module.css'
import { useThreadActions } from './thread-context.ts'

/** Longest edge of an image in the thread. */
const SHOWN_EDGE = 320
/** Used for an image without known dimensions, which is rare. */
const UNKNOWN = 240

/**
 * The thumbnail in a box of its final size, so that nothing moves when it arrives; a press opens
 * the full image in the viewer. For visitors who blur or hide images, the first press shows it.
 */
export function PostImage({ post }: { post: Post }) {
  const { viewImage } = useThreadActions()
  const veil = useVeil()
  if (post.imageUrl === null) return null
  const [width, height] = [post.imageWidth ?? UNKNOWN, post.imageHeight ?? UNKNOWN]
  const scale = Math.min(1, SHOWN_EDGE / Math.max(width, height, 1))
  return (
    <a
      className={styles['image']}
      href={post.imageUrl}
      target="_blank"
      rel="noopener"
      aria-label={veil.veiled ? `${post.number}の画像を表示` : `${post.number}の画像を開く`}
      data-image=""
      data-veil={veil.attribute}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        if (veil.veiled) veil.reveal()
        else viewImage(post)
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
