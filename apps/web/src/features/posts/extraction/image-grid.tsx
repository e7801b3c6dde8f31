import type { Post } from '@shinobi/contract/posts'
import { useVeil } from '../../display/use-veil.ts'
import { postPath } from '../post-address.ts'
import { useThreadActions } from '../thread-context.ts'
import styles from './thread-tools.module.css'

/**
 * The images of posts, side by side. A press opens the viewer, or shows a blurred or hidden image
 * first; the number leads to the post.
 */
export function ImageGrid({ posts }: { posts: readonly Post[] }) {
  const { threadId, goTo } = useThreadActions()
  return (
    <ul className={styles['grid']}>
      {posts.map((post) => (
        <li key={post.number} className={styles['cell']}>
          <Picture post={post} />
          <a
            href={postPath(threadId, post.number)}
            aria-label={`${post.number}へ移動`}
            className={styles['caption']}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
              event.preventDefault()
              goTo(post.number)
            }}
          >
            {post.number}
          </a>
        </li>
      ))}
    </ul>
  )
}

function Picture({ post }: { post: Post }) {
  const { viewImage } = useThreadActions()
  const veil = useVeil()
  return (
    <button
      type="button"
      className={styles['picture']}
      aria-label={veil.veiled ? `${post.number}の画像を表示` : `${post.number}の画像を開く`}
      data-picture={post.number}
      data-veil={veil.attribute}
      onClick={() => (veil.veiled ? veil.reveal() : viewImage(post))}
    >
      <img
        src={post.thumbnailUrl ?? post.imageUrl ?? undefined}
        width={post.imageWidth ?? undefined}
        height={post.imageHeight ?? undefined}
        alt=""
        loading="lazy"
        decoding="async"
      />
    </button>
  )
}
