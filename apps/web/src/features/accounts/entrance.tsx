import type { ReactNode } from 'react'
import { ScrollRod } from '../../ui/motifs/scroll-rod.tsx'
import styles from './entrance.module.css'

interface EntranceProps {
  title: string
  /** Two characters at the sides of the gate: the call, and the answer (山, 川). */
  watchword: readonly [call: string, answer: string]
  lead?: ReactNode
  children: ReactNode
  /** Alternative links, below the scroll. */
  ways?: ReactNode
}

/** Layout of the log-in and registration screens: a scroll between two watchwords. */
export function Entrance({ title, watchword: [call, answer], lead, children, ways }: EntranceProps) {
  return (
    <div className={`container ${styles['gate']}`}>
      <span className={styles['call']} aria-hidden="true">
        {call}
      </span>
      <div className={styles['middle']}>
        <div className={styles['scroll']}>
          <span className={styles['cord']} aria-hidden="true" />
          <ScrollRod className={styles['rod']} />
          <div className={styles['paper']}>
            <header className={styles['head']}>
              <h1 className="screen-title">{title}</h1>
              {lead && <p className={styles['lead']}>{lead}</p>}
            </header>
            {children}
          </div>
          <ScrollRod className={styles['rod']} />
        </div>
        {ways && <div className={styles['ways']}>{ways}</div>}
      </div>
      <span className={styles['answer']} aria-hidden="true">
        {answer}
      </span>
    </div>
  )
}

/** A line across the scroll with text in its middle. */
export function Divider({ children }: { children: ReactNode }) {
  return <p className={styles['divider']}>{children}</p>
}
