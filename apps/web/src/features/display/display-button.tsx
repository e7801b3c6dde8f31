import { cx } from '../../ui/cx.ts'
import { IconButton } from '../../ui/button.tsx'
import { SlidersIcon } from '../../ui/icons.tsx'
import styles from './display-button.module.css'
import { openDisplay } from './open-display.ts'

/** 表示, as an icon: opens the panel. Hidden without scripts, where the system's theme applies. */
export function DisplayIconButton({ className }: { className?: string | undefined }) {
  return (
    <IconButton
      label="表示"
      aria-haspopup="dialog"
      className={cx(styles['scripted'], className)}
      onClick={() => void openDisplay()}
    >
      <SlidersIcon size={22} />
    </IconButton>
  )
}

/** The same in words. */
export function DisplayButton() {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      className={cx(styles['scripted'], styles['words'])}
      onClick={() => void openDisplay()}
    >
      <SlidersIcon size={18} />
      表示
    </button>
  )
}
