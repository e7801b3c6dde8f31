import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './switch.module.css'

interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** May set `--on: 1` to look switched on before hydration. */
  className?: string | undefined
  children: ReactNode
}

/** A setting that is on or off, and takes effect at once. */
export function Switch({ checked, onChange, className, children }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      className={cx(styles['switch'], className)}
      onClick={() => onChange(!checked)}
    >
      <span className={styles['track']} aria-hidden="true" />
      {children}
    </button>
  )
}
