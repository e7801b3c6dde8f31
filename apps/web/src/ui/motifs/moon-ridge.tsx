import { cx } from '../cx.ts'
import styles from './moon-ridge.module.css'

/**
 * The moon over three ridges. Fills its parent, behind the content that follows. With `runner` the
 * moon rises and a ninja crosses the middle ridge (the loading screen); under reduced motion both
 * stand still.
 */
export function MoonRidge({ runner = false, className }: { runner?: boolean; className?: string | undefined }) {
  return (
    <div className={cx(styles['scene'], runner && styles['live'], className)} aria-hidden="true">
      <span className={styles['moon']} />
      <span className={cx(styles['layer'], styles['mist'])} />
      <span className={cx(styles['layer'], styles['far'])} />
      <span className={cx(styles['layer'], styles['mid'])} />
      {runner && (
        <span className={styles['track']}>
          <Runner />
        </span>
      )}
      <span className={cx(styles['layer'], styles['front'])} />
    </div>
  )
}

/** A runner bent low, arms back; two pairs of legs alternate. */
function Runner() {
  return (
    <svg className={styles['runner']} viewBox="0 0 72 56">
      <g className={styles['bob']} fill="none" stroke="var(--figure-ink)" strokeLinecap="round" strokeLinejoin="round">
        <path
          className={styles['scarf']}
          stroke="var(--figure-scarf)"
          strokeWidth="3"
          d="M46 17C38 12 32 19 24 15S12 12 5 16"
        />
        <path strokeWidth="9" d="M46 22 32 33" />
        <path strokeWidth="4" d="M44 23 28 23 16 27" />
        <g className={styles['stride']} strokeWidth="5">
          <path d="M32 34 44 39 42 51" />
          <path d="M32 34 22 42 8 41" />
        </g>
        <g className={styles['strideTwo']} strokeWidth="5">
          <path d="M32 34 35 44 27 51" />
          <path d="M32 34 31 43 18 47" />
        </g>
        <path fill="var(--figure-ink)" strokeWidth="1" d="M45 12a8 8 0 1 1 15 4c-2 5-9 6-12 3-2-2-3-4-3-7Z" />
        <path strokeWidth="2.5" d="M46 11 38 6M46 12 36 11" />
        <path stroke="var(--figure-face)" strokeWidth="2" d="M55.5 12.5h4" />
      </g>
    </svg>
  )
}
