import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { cx } from '../../ui/cx.ts'
import styles from './poster-name.module.css'

/** What sage says about a post. */
export const SAGE = 'スレッドを上げない書き込みです。'

/**
 * The writer of a post. A member's name has a seal, and a staff post another one. Neither seals nor
 * ◆ can be typed, so no nickname passes for a member, for staff, or for somebody with a tripcode.
 */
export function PosterName({
  post,
  isOwn = false,
  className,
}: {
  post: Pick<Post, 'name' | 'userId' | 'staff' | 'trip' | 'sage' | 'deleted'>
  isOwn?: boolean
  className?: string
}) {
  return (
    <span className={cx(styles['poster'], className)}>
      <span className={cx(styles['name'], isOwn && styles['own'])}>
        {post.name ?? (post.deleted ? '削除' : NAMELESS)}
      </span>
      {post.trip !== undefined && (
        <span className={styles['trip']} data-trip="">
          <span className="visually-hidden">トリップ </span>
          {`◆${post.trip}`}
        </span>
      )}
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
      {post.sage === true && (
        <span className={styles['sage']} title={SAGE}>
          sage
        </span>
      )}
      {isOwn && <span className="visually-hidden">自分の書き込み</span>}
    </span>
  )
}
