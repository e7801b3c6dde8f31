import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { cx } from '../../ui/cx.ts'
import styles from './poster-name.module.css'

/**
 * The writer of a post. A member's name has a seal, and a staff post another one. Seals cannot be
 * typed, so no nickname passes for a member or for staff.
 */
export function PosterName({
  post,
  isOwn = false,
}: {
  post: Pick<Post, 'name' | 'userId' | 'staff'>
  isOwn?: boolean
}) {
  return (
    <span className={styles['poster']}>
      <span className={cx(styles['name'], isOwn && styles['own'])}>{post.name ?? NAMELESS}</span>
      {post.staff === true ? (
        <span className={cx(styles['seal'], styles['staff'])} title="この板の運営としての書き込みです">
          運営<span className="visually-hidden">の書き込み</span>
        </span>
      ) : (
        post.userId !== null && (
          <span className={styles['seal']} title="登録した会員の書き込みです">
            会員
          </span>
        )
      )}
    </span>
  )
}
