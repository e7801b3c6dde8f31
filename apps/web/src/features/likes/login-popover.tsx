import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { paths } from '../../app/paths.ts'
import { keepPlace } from '../../lib/use-kept-position.ts'
import { ButtonLink, IconButton } from '../../ui/button.tsx'
import { CloseIcon } from '../../ui/icons.tsx'
import { placeBeside } from '../../ui/place-beside.ts'
import popover from '../../ui/popover.module.css'
import { keepLike } from './kept-like.ts'
import type { LikePress } from './like-marks.ts'
import styles from './login-popover.module.css'

/**
 * Opens at the button pressed by a visitor who is not logged in, with links to log in and to
 * register. Both lead back to the button, and the like is then added. The browser closes it on
 * Escape or a press outside.
 */
export function LoginPopover({ press, onClose }: { press: LikePress; onClose: () => void }) {
  const panel = useRef<HTMLDivElement>(null)
  const location = useLocation()
  const { of, button } = press
  const row = button.closest('[data-keep]')?.id
  const here = location.pathname + location.search
  const next = row == null ? here : `${here}#${row}`
  const keep = () => {
    keepLike({ of, place: here })
    if (row != null) keepPlace(location, row)
  }
  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return undefined
    // The browser restores the focus to where it was, but not every browser focuses a pressed
    // button.
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
      ref={panel}
      popover="auto"
      role="dialog"
      aria-labelledby="login-popover"
      className={`${popover['popover']} ${styles['login']}`}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
    >
      <p id="login-popover">ログインすると灯せます。</p>
      <IconButton label="閉じる" className={styles['close']} onClick={() => panel.current?.hidePopover()}>
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
