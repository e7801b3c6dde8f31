import { inFigures } from '@shinobi/contract/in-figures'
import type { NewsStatus } from '@shinobi/contract/news'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, type ComponentType } from 'react'
import { Link, Navigate, useSearchParams } from 'react-router'
import { useAdminId } from '../admin/api.ts'
import { useResults } from '../admin/results.tsx'
import { Loaded } from '../admin/screen.tsx'
import { newsStatusQuery, useReloadNews } from './api.ts'
import styles from './news-desk.module.css'
import { NewsState } from './news-state.tsx'
import { PublishedTab } from './published-tab.tsx'
import { SkippedTab } from './skipped-tab.tsx'
import { SourcesTab } from './sources-tab.tsx'
import type { TabProps } from './tab-props.ts'
import { WaitingDesk } from './waiting-desk.tsx'

const TABS: readonly { name: string; label: string; Component: ComponentType<TabProps> }[] = [
  { name: 'waiting', label: '承認待ち', Component: WaitingDesk },
  { name: 'published', label: '掲載', Component: PublishedTab },
  { name: 'sources', label: '情報源', Component: SourcesTab },
  { name: 'skipped', label: '見送り', Component: SkippedTab },
]

/** Everything about news on one screen: status, waiting stories, their results, and the sources. */
export function NewsDesk() {
  const userId = useAdminId()
  const status = useQuery(newsStatusQuery(userId))
  const reload = useReloadNews(userId)
  const results = useResults(reload)
  useReloadWhenNewsMoved(status.data, reload)
  const [parameters] = useSearchParams()
  const tab = TABS.find(({ name }) => name === parameters.get('tab')) ?? TABS[0]!
  const { waiting = 0, changed = 0 } = status.data ?? {}
  const badges: Readonly<Record<string, number>> = { waiting, published: changed }
  /** Leads to what waits in a tab: in 掲載, to the stories whose sources have changed. */
  const addressOf = (name: string): string =>
    name === 'published' && changed > 0 ? '?tab=published&show=changed' : `?tab=${name}`
  return (
    <>
      {status.data !== undefined && !parameters.has('tab') && (
        <Navigate replace to={addressOf(waiting === 0 && changed > 0 ? 'published' : 'waiting')} />
      )}
      <Loaded query={status}>{(data) => <NewsState status={data} results={results} onChanged={reload} />}</Loaded>
      <nav className={styles['tabs']} aria-label="ニュースの一覧">
        {TABS.map(({ name, label }) => (
          <Link
            key={name}
            to={addressOf(name)}
            className={styles['tab']}
            {...(name === tab.name && { 'aria-current': 'page' as const })}
          >
            {label}
            {(badges[name] ?? 0) > 0 && (
              <span className={styles['badge']}>
                <span className="visually-hidden">、</span>
                {inFigures(badges[name]!)}
                <span className="visually-hidden">件</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      {/* After the status: an older list than the first one known would not be reloaded. */}
      {!status.isPending && (
        <tab.Component key={tab.name} userId={userId} status={status.data} results={results} onChanged={reload} />
      )}
      {results.region}
    </>
  )
}

/**
 * Reloads the lists when the status has changed since they were loaded. A run without any work
 * changes nothing.
 */
function useReloadWhenNewsMoved(status: NewsStatus | undefined, reload: () => Promise<void>) {
  const stand = status && [status.changedAt, status.waiting, status.changed, status.pending].join()
  const seen = useRef(stand)
  useEffect(() => {
    if (stand === undefined) return
    if (seen.current !== undefined && seen.current !== stand) void reload()
    seen.current = stand
  }, [stand, reload])
}
