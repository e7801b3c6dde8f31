import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './switch.module.css'

interface SwitchProps {
  checked: boolean
  onChange: (checked: boolean) => void
  /** May set `--on: 1`, to be drawn as switched on before the script knows. */
  className?: string | undefined
  children: ReactNode
}

/** Something that is on or off, and changes at once. */
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
