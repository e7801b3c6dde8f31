import { useEffect, useRef, useState, type ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import styles from './post-text.module.css'

/** Shift_JIS art. Art wider than its post scrolls sideways; a press scales it down to fit. */
export function ArtView({ children }: { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLDivElement>(null)
  const [wide, setWide] = useState(false)
  const [whole, setWhole] = useState(false)

  useEffect(() => {
    const [outer, inner] = [frame.current, sheet.current]
    if (outer === null || inner === null) return
    const fit = () => {
      const share = outer.parentElement!.clientWidth / inner.offsetWidth
      setWide(share < 1)
      // Scaled like a picture: a smaller font size would round each glyph and shear the drawing.
      inner.style.transform = whole && share < 1 ? `scale(${share})` : ''
      outer.style.height = whole && share < 1 ? `${inner.offsetHeight * share + 4}px` : ''
      if (whole) outer.scrollLeft = 0
    }
    fit()
    const observer = new ResizeObserver(fit)
    observer.observe(inner)
    observer.observe(outer.parentElement!)
    return () => observer.disconnect()
  }, [whole])

  return (
    <div className={styles['drawing']}>
      <div
        ref={frame}
        className={styles['art']}
        data-whole={whole || undefined}
        // Wide art scrolls in its own box, which must be reachable by keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable
        tabIndex={0}
        role="group"
        aria-label="アスキーアート"
      >
        <div ref={sheet} className={styles['sheet']}>
          {children}
        </div>
      </div>
      {wide && (
        <Button size="sm" onClick={() => setWhole(!whole)}>
          {whole ? '元の大きさに戻す' : '縮小して全体表示'}
        </Button>
      )}
    </div>
  )
}
