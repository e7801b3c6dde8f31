import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../app/paths.ts'
import { keepPlace } from '../../lib/use-kept-position.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { placeBeside } from '../../ui/place-beside.ts'
import paper from '../../ui/slip.module.css'
import { keepWish } from './kept-wish.ts'
import type { LikePress } from './like-marks.ts'
import styles from './like-slip.module.css'

/**
 * Lies at the button that somebody pressed who is not logged in: the two ways in, both of which lead back to the button, where the
 * like is then given. The browser closes it on Escape or a press beside it.
 */
export function LikeSlip({ press, onClose }: { press: LikePress; onClose: () => void }) {
  const slip = useRef<HTMLDivElement>(null)
  const location = useLocation()
  const { of, button } = press
  const row = button.closest('[data-keep]')?.getAttribute('data-keep')
  const here = location.pathname + location.search
  const next = row == null ? here : `${here}#${row}`
  const keep = () => {
    keepWish({ of, place: here })
    if (row != null) keepPlace(location, row)
  }
  useLayoutEffect(() => {
    const element = slip.current
    if (element === null) return undefined
    // The browser gives the focus back to where it was: not every browser has moved it to a button that was pressed.
    button.focus({ preventScroll: true })
    element.togglePopover(true)
    placeBeside(element, button)
    element.querySelector('a')?.focus({ preventScroll: true })
    const observer = new ResizeObserver(() => placeBeside(element, button))
    observer.observe(element)
    return () => observer.disconnect()
  }, [button])
  return (
    <div
      ref={slip}
      popover="auto"
      role="dialog"
      aria-labelledby="like-slip"
      className={`${paper['slip']} ${styles['slip']}`}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      <p id="like-slip">ログインすると灯せます。</p>
      <IconButton label="閉じる" className={styles['close']} onClick={() => slip.current?.hidePopover()}>
        <CloseIcon size={18} />
      </IconButton>
      <div className={styles['ways']}>
        <ButtonLink size="sm" variant="primary" to={paths.login(next)} onClick={keep}>
          ログイン
        </ButtonLink>
        <ButtonLink size="sm" to={paths.register(next)} onClick={keep}>
          会員登録
        </ButtonLink>
      </div>
    </div>
  )
}
