import type { ComponentProps, ReactNode } from 'react'
import styles from './strip.module.css'

interface StripProps extends ComponentProps<'aside'> {
  label: string
  tone?: 'plain' | 'gold' | 'rope'
  /** Before the text. */
  lead: ReactNode
  /** After the text. */
  end?: ReactNode
}

/** A line across the page with a current state. */
export function Strip({ label, tone = 'plain', lead, end, children, ...rest }: StripProps) {
  return (
    <aside className={styles['strip']} data-tone={tone} aria-label={label} {...rest}>
      <div className={`container ${styles['inner']}`}>
        {lead}
        <div className={styles['words']}>{children}</div>
        {end}
      </div>
    </aside>
  )
}
