import styles from './needs-script.module.css'

interface NeedsScriptProps {
  children: string
}

/** The first element of a form that only the script can send: tells visitors without a script. */
export function NeedsScript({ children }: NeedsScriptProps) {
  return (
    <noscript>
      <p className={styles['words']}>{children}</p>
      {/* Enter activates the first button of a form: while it is disabled, nothing is sent. */}
      <button type="submit" aria-label="送信" disabled hidden />
    </noscript>
  )
}
