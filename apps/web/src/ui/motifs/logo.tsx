import { cx } from '../cx.ts'
import styles from './logo.module.css'

/**
 * The seal 忍: a blade over a heart, cut in white out of vermilion. A drawing, so that it never
 * waits for a font.
 */
export function LogoSeal({ size, className }: { size?: number; className?: string | undefined }) {
  return (
    <svg
      className={className}
      {...(size === undefined ? {} : { width: size, height: size })}
      viewBox="0 0 64 64"
      aria-hidden="true"
      focusable="false"
    >
      <path fill="var(--vermilion)" d="M3 1.5 61.5 1 63 3l-.5 26 .5 32-1.5 2L34 62.5 2.5 63 1 61l.5-29L1 3.5Z" />
      <g fill="none" stroke="var(--ink1)" strokeWidth="5.5" strokeMiterlimit="10">
        <path d="M10 12.5h39.5c0 9.5-.8 16-3.5 21.5l-6.5-2.5" />
        <path d="M29.5 12.5c-.5 9-5.5 17.5-17.5 22.5" />
        <path d="M13.5 20.5 27 28.5" />
        <path d="M14.5 41.5 10 54" />
        <path d="M22.5 39.5c0 10 1 15 10 15h8.5l2-7.5" />
        <path d="M31.5 38.5 37 46" />
        <path d="M46.5 39.5 54 50" />
      </g>
    </svg>
  )
}

/** Seal and name side by side. */
export function Wordmark({ className }: { className?: string | undefined }) {
  return (
    <span className={cx(styles['wordmark'], className)}>
      <LogoSeal className={styles['seal']} />
      <span>忍板</span>
    </span>
  )
}
