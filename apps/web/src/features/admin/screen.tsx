import type { ReactNode } from 'react'
import { Failed } from '../../ui/failed.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './screen.module.css'

interface ScreenProps {
  title: string
  /** One sentence on what it is for. */
  lead?: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen of the administration: its title, what can be done, and what there is. */
export function Screen({ title, lead, actions, children }: ScreenProps) {
  return (
    <>
      <header className={styles['head']}>
        <div className={styles['words']}>
          <h1 className={styles['title']}>{title}</h1>
          {lead && <p className={styles['lead']}>{lead}</p>}
        </div>
        {actions && <div className={styles['actions']}>{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface LoadedProps<Data> {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  /** Where the server's own words do not do. */
  message?: string
  children: (data: Data) => ReactNode
}

/** What a query brought; until then a spinner, or what went wrong and a way to try again. */
export function Loaded<Data>({ query: { data, error, refetch }, message, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  if (error !== null) return <Failed error={error} message={message} onRetry={() => void refetch()} />
  return (
    <div className={styles['waiting']}>
      <Spinner label="読み込んでいます" />
    </div>
  )
}
