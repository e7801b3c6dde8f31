import type { ReactNode } from 'react'
import { CategoryBar } from './category-bar.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import styles from './page-shell.module.css'

/** Target of the skip link, and of the focus after a navigation. */
export const MAIN_ID = 'main'

interface PageShellProps {
  year: number
  /** Name of the category of the list shown. */
  category?: string
  /** Notices for every visitor, above the page. */
  notices: ReactNode
  children: ReactNode
}

/** The frame of every page. */
export function PageShell({ year, category, notices, children }: PageShellProps) {
  return (
    <div className={styles['shell']}>
      <a href={`#${MAIN_ID}`} className="skip-link">
        本文へ移る
      </a>
      <Header />
      {notices}
      {category !== undefined && <CategoryBar category={category} />}
      <main id={MAIN_ID} tabIndex={-1} className={styles['main']}>
        {children}
      </main>
      <Footer year={year} />
    </div>
  )
}
