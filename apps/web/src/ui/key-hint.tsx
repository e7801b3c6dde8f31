import styles from './key-hint.module.css'

/** The shortcut beside its action; shown only where there is a keyboard. */
export function KeyHint({ children }: { children: string }) {
  return (
    <kbd className={styles['key']} aria-hidden="true">
      {children}
    </kbd>
  )
}
