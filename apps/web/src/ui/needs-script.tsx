import styles from './needs-script.module.css'

interface NeedsScriptProps {
  children: string
}

/** First in a form that only the script can send: says so where there is none. */
export function NeedsScript({ children }: NeedsScriptProps) {
  return (
    <noscript>
      <p className={styles['words']}>{children}</p>
      {/* A form's first button is the one Enter presses: disabled, nothing is sent. */}
      <button type="submit" aria-label="送信" disabled hidden />
    </noscript>
  )
}
