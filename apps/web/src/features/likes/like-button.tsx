import { useSyncExternalStore } from 'react'
import { CheckIcon, FlameIcon } from '../../ui/icons.tsx'
import styles from './like-button.module.css'
import { callDesk, followLikes, likeMark, pressLike, type Likeable } from './like-marks.ts'
import { inFigures } from '../../lib/in-figures.ts'

/**
 * Likes of a thread or a post, and a press to add one's own. The page must render `<Likes />` beside it. The stamp of a liked one
 * takes the room that is kept for it, so that nothing moves when it appears.
 */
export function LikeButton({ of }: { of: Likeable }) {
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
      aria-pressed={liked}
      onPointerEnter={callDesk}
      // A key that is held down is one press.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={({ currentTarget }) => pressLike({ of, button: currentTarget })}
    >
      {liked && (
        <span className={styles['stamp']}>
          天照
          <CheckIcon size={12} />
        </span>
      )}
      <span className="visually-hidden">{liked ? '済み（' : 'いいね（'}</span>
      <FlameIcon size={16} />
      {/* The page may be a second older than the like. */}
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
