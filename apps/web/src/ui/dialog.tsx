import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './dialog.module.css'
import { CloseIcon } from './icons.tsx'
import { ScrollRod } from './motifs/scroll-rod.tsx'
import { isImeKey } from '../lib/ime-key.ts'

/** Duration of the closing transition; the content stays until it ends. */
const CLOSING_MS = 160

/**
 * The browser would focus the close button. An element with `data-autofocus` has precedence, then
 * the first field, but a field only where that opens no on-screen keyboard over the dialog.
 */
function focusFirst(dialog: HTMLDialogElement): void {
  const wanted = dialog.querySelector<HTMLElement>('[data-autofocus]')
  const field = 'input:not(:disabled, [type="hidden"], [type="file"]), textarea:not(:disabled), select:not(:disabled)'
  const target =
    wanted ?? (window.matchMedia('(pointer: fine)').matches ? dialog.querySelector<HTMLElement>(field) : null)
  target?.focus()
}

interface DialogProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
  /** Where the paper unrolls from: the top (center), the right edge or the bottom edge. */
  side?: 'center' | 'right' | 'bottom'
  /** false: the page behind stays usable. */
  modal?: boolean
  /** false: only a control inside closes it (no close button, Esc or press outside). */
  dismissable?: boolean
  /** Buttons below the scrolling part. */
  footer?: ReactNode
}

/**
 * A scroll that unrolls over the page. The browser's <dialog> traps focus and restores it on
 * closing. The children are mounted anew at each opening.
 */
export function Dialog({
  open,
  onClose,
  title,
  children,
  side = 'center',
  modal = true,
  dismissable = true,
  footer,
}: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const pressedOutside = useRef(false)
  const titleId = useId()
  const [mounted, setMounted] = useState(open)
  if (open && !mounted) setMounted(true)

  useEffect(() => {
    const element = dialog.current
    if (element === null) return
    if (open && !element.open) {
      if (modal) {
        const root = document.documentElement
        root.style.setProperty('--scrollbar', `${window.innerWidth - root.clientWidth}px`)
        element.showModal()
      } else element.show()
      focusFirst(element)
      return
    }
    if (open) return
    if (element.open) element.close()
    const timer = setTimeout(() => setMounted(false), CLOSING_MS)
    return () => clearTimeout(timer)
  }, [open, modal])

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the dialog itself receives Esc and backdrop presses
    <dialog
      ref={dialog}
      className={cx(styles['dialog'], styles[side])}
      data-modal={modal}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // `cancel` bubbles from file inputs inside.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (dismissable) onClose()
      }}
      onClose={(event) => {
        // The browser may close it by itself (Esc pressed twice); then the owner's state has to
        // follow, or it is opened again.
        if (event.target !== event.currentTarget || !open) return
        if (dismissable) onClose()
        else if (modal) event.currentTarget.showModal()
        else event.currentTarget.show()
      }}
      onKeyDown={(event) => {
        // A modal dialog gets `cancel`; a non-modal one does not. Esc during a composition belongs
        // to the IME.
        if (!modal && dismissable && event.key === 'Escape' && !isImeKey(event.nativeEvent)) onClose()
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        // Closes only if press and release are both outside: selecting text from inside to outside
        // does not close it.
        if (modal && dismissable && pressedOutside.current && event.target === event.currentTarget) onClose()
      }}
    >
      {mounted && (
        <div className={styles['scroll']}>
          <div className={styles['window']}>
            <div className={styles['paper']}>
              <header className={styles['head']}>
                <h2 id={titleId} className={styles['title']}>
                  {title}
                </h2>
                {dismissable && (
                  <IconButton label="閉じる" onClick={onClose} className={styles['close']}>
                    <CloseIcon />
                  </IconButton>
                )}
              </header>
              <div className={styles['body']}>{children}</div>
              {footer && <footer className={styles['foot']}>{footer}</footer>}
            </div>
          </div>
          <div className={styles['rods']}>
            <ScrollRod vertical={side === 'right'} className={styles['rod']} />
          </div>
        </div>
      )}
    </dialog>
  )
}
