import type { ReactNode } from 'react'
import styles from './document.module.css'

/** A page of continuous text: title, introduction, sections. */
export function Document({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) {
  return (
    <article className={`container ${styles['document']}`}>
      <header className={styles['head']}>
        <h1 className="screen-title">{title}</h1>
        <p className={styles['lead']}>{lead}</p>
      </header>
      {children}
    </article>
  )
}

/** `mark` is shown before the title, like an article's number: 第一条. */
export function DocumentSection({
  id,
  mark,
  title,
  children,
}: {
  id: string
  mark?: string
  title: string
  children: ReactNode
}) {
  return (
    <section id={id} className={styles['section']} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className={styles['title']}>
        {mark && <span className={styles['mark']}>{mark}</span>}
        {title}
      </h2>
      <div className={styles['body']}>{children}</div>
    </section>
  )
}
