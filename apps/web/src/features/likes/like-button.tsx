import { useSyncExternalStore } from 'react'
import { inFigures } from '@shinobi/contract/in-figures'
import { CheckIcon, FlameIcon } from '../../ui/icons.tsx'
import styles from './like-button.module.css'
import { callHandler, followLikes, likeMark, pressLike, type Likeable } from './like-marks.ts'

/**
 * Likes of a thread or a post, as a button. The page must render `<Likes />` as well. The space for
 * the stamp of a liked one is reserved, so that nothing moves when it appears.
 * `stacked`: the stamp is above the count, in a column as high as its row.
 */
export function LikeButton({ of, stacked = false }: { of: Likeable; stacked?: boolean }) {
  const mark = useSyncExternalStore(
    followLikes,
    () => likeMark(of._id),
    () => undefined,
  )
  const liked = mark?.liked === true
  return (
    <button
      type="button"
      className={styles['like']}
      data-stacked={stacked || undefined}
      aria-pressed={liked}
      onPointerEnter={callHandler}
      // Holding a key down counts as one press.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={({ currentTarget }) => pressLike({ of, button: currentTarget })}
    >
      {liked && (
        <span className={styles['stamp']} data-stamp="">
          天照
          <CheckIcon size={12} />
        </span>
      )}
      <span className="visually-hidden">{liked ? '済み（' : 'いいね（'}</span>
      {liked && <FlameIcon size={16} />}
      {/* The count of the page may be a second older than the like. */}
      <b>{inFigures(Math.max(mark?.likes ?? of.likes, Number(liked)))}</b>
      <span className="visually-hidden">件）</span>
      {mark?.effect && (
        <span className={styles['effect']} data-burning="">
          {mark.effect}
        </span>
      )}
    </button>
  )
}
