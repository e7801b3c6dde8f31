import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { cx } from '../../ui/cx.ts'
import styles from './poster-name.module.css'

/** Who wrote a post. A member's name carries a seal, which nobody can type: no nickname passes for a member. */
export function PosterName({ post, isOwn = false }: { post: Pick<Post, 'name' | 'userId'>; isOwn?: boolean }) {
  return (
    <span className={styles['poster']}>
      <span className={cx(styles['name'], isOwn && styles['own'])}>{post.name ?? NAMELESS}</span>
      {post.userId !== null && (
        <span className={styles['seal']} title="登録した会員の書き込みです">
          会員
        </span>
      )}
    </span>
  )
}
