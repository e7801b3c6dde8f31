import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import styles from './dialog.module.css'
import { CloseIcon } from './icons.tsx'
import { ScrollRod } from './motifs/scroll-rod.tsx'

/** As long as the way out takes; what the dialog showed stays until then. */
const CLOSING_MS = 160

/**
 * The platform would focus the close button. What asks for it (`data-autofocus`) comes first, then the first field,
 * that one only where no keyboard slides over the dialog.
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
  /** The paper unrolls from the top (center), the right edge or the bottom edge. */
  side?: 'center' | 'right' | 'bottom'
  /** false: the page behind stays usable. */
  modal?: boolean
  /** false: only a choice inside closes it (no close button, Esc or press outside). */
  dismissable?: boolean
  /** Buttons below the scrolling part. */
  footer?: ReactNode
}

/**
 * A scroll that unrolls over the page. The platform's <dialog> keeps focus inside and gives it back when it closes.
 * What is inside is mounted anew at each opening.
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc and a press on the backdrop come to the dialog itself
    <dialog
      ref={dialog}
      className={cx(styles['dialog'], styles[side])}
      data-modal={modal}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // `cancel` bubbles from file pickers inside.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        if (dismissable) onClose()
      }}
      onClose={(event) => {
        // The browser may close it by itself (Esc pressed twice); the owner's state follows.
        if (event.target === event.currentTarget && open) onClose()
      }}
      onKeyDown={(event) => {
        // A modal dialog gets `cancel`; a plain one does not. Esc during conversion belongs to the IME.
        if (!modal && dismissable && event.key === 'Escape' && !event.nativeEvent.isComposing) onClose()
      }}
      onPointerDown={(event) => {
        pressedOutside.current = event.target === event.currentTarget
      }}
      onClick={(event) => {
        // Both press and release outside: a selection dragged out of the paper does not close it.
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
