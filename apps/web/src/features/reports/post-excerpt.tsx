import { NAMELESS } from '@shinobi/contract/nameless'
import type { Post } from '@shinobi/contract/posts'
import { DateTime } from '../../lib/date-time.tsx'
import styles from './post-excerpt.module.css'

/** The post that a dialog is about, so that the reader can check that it is the right one. */
export function PostExcerpt({ post: { number, name, posterId, createdAt, content } }: { post: Post }) {
  return (
    <blockquote className={styles['post']}>
      <p className={styles['meta']}>
        <span className={styles['number']}>{number}</span>
        <b className={styles['name']}>{name ?? NAMELESS}</b>
        <DateTime value={createdAt} />
        {posterId !== undefined && <span>ID:{posterId}</span>}
      </p>
      <p className={styles['text']}>{content}</p>
    </blockquote>
  )
}
