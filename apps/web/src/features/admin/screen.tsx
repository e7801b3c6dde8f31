import type { ReactNode } from 'react'
import { Failed } from '../../ui/failed.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './screen.module.css'

interface ScreenProps {
  title: string
  /** One sentence on the purpose of the screen. */
  lead?: ReactNode
  /** Beside the title. */
  actions?: ReactNode
  children: ReactNode
}

/** A screen of the administration: title, actions and content. */
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
  /** Replaces the server's message where that is not specific enough. */
  message?: string
  children: (data: Data) => ReactNode
}

/** The data of a query; until then a spinner, or the error with a retry button. */
export function Loaded<Data>({ query: { data, error, refetch }, message, children }: LoadedProps<Data>) {
  if (data !== undefined) return children(data)
  if (error !== null) return <Failed error={error} message={message} onRetry={() => void refetch()} />
  return (
    <div className={styles['waiting']}>
      <Spinner label="読み込んでいます" />
    </div>
  )
}
