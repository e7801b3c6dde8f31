import type { ReactNode } from 'react'
import styles from './profile-section.module.css'

/** One section of the profile, with its title at the side. */
export function ProfileSection({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className={styles['section']} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles['title']}>
        {title}
      </h2>
      <div className={styles['body']}>{children}</div>
    </section>
  )
}

interface FactProps {
  label: string
  value: ReactNode
  /** The button of this fact. */
  action?: ReactNode
  children?: ReactNode
}

/** A line of a list of facts: label, value and a button. */
export function Fact({ label, value, action, children }: FactProps) {
  return (
    <li className={styles['fact']}>
      <div className={styles['line']}>
        <div className={styles['words']}>
          <h3 className={styles['label']}>{label}</h3>
          <p className={styles['value']}>{value}</p>
        </div>
        {action}
      </div>
      {children}
    </li>
  )
}
