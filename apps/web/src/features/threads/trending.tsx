import type { ThreadItem } from '@shinobi/contract/threads'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { cx } from '../../ui/cx.ts'
import { FlameIcon } from '../../ui/icons.tsx'
import { useShownTitles } from '../hiding/use-shown-titles.ts'
import { trendingQuery } from './api.ts'
import { Speed } from './speed.tsx'
import { LikeCount } from './thread-row.tsx'
import styles from './trending.module.css'

/** Trending threads, without those whose titles the visitor hides (NG). */
function useTrending(category: string | null): { threads: readonly ThreadItem[]; isPending: boolean } {
  const { data = [], isPending } = useQuery(trendingQuery(category))
  const isShown = useShownTitles()
  return { threads: data.filter(isShown), isPending }
}

/** Trending threads of a category; renders nothing when there are none. */
export function CategoryTrending({ category }: { category: string }) {
  const { threads } = useTrending(category)
  if (threads.length === 0) return null
  return (
    <Fold title="このカテゴリの急上昇">
      <Ranks of={threads} />
    </Fold>
  )
}

/**
 * Trending threads of the whole board. `wideOnly`: hidden on a phone, for pages that have their own
 * trending threads.
 */
export function TrendingSidebar({ wideOnly = false }: { wideOnly?: boolean }) {
  const { threads, isPending } = useTrending(null)
  return (
    <Fold title="急上昇" wideOnly={wideOnly}>
      {threads.length > 0 ? (
        <Ranks of={threads} />
      ) : (
        <p className={styles['none']}>{isPending ? null : '急上昇のスレッドはありません。'}</p>
      )}
    </Fold>
  )
}

/** Their ranks are the numbers of the list. */
function Ranks({ of }: { of: readonly ThreadItem[] }) {
  return (
    <ol className={styles['ranks']}>
      {of.map((thread) => (
        <li key={thread._id} data-ai={thread.aiGenerated || undefined}>
          <Link to={paths.thread(thread._id)} className={styles['rank']}>
            <span className={styles['title']}>{thread.title}</span>
            <span className={`meta ${styles['figures']}`}>
              <Speed of={thread} />
              <LikeCount likes={thread.likes} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  )
}

/** Above this width the sidebar is beside the list, and its parts are open. */
const WIDE = '(min-width: 1024px)'

/**
 * A part of the sidebar. On a phone it is folded into one line, because the list of threads is more
 * important there, and opens over the list. The style sheet opens it on wide viewports before (and
 * without) the script.
 */
function Fold({ title, wideOnly = false, children }: { title: string; wideOnly?: boolean; children: ReactNode }) {
  const [open, setOpen] = useState(false)
  useEffect(() => {
    const query = matchMedia(WIDE)
    const follow = () => setOpen(query.matches)
    follow()
    query.addEventListener('change', follow)
    return () => query.removeEventListener('change', follow)
  }, [])
  return (
    <details
      className={cx(styles['fold'], wideOnly && styles['wideOnly'])}
      data-folded={wideOnly ? undefined : ''}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles['summary']}>
        <h2 className={styles['heading']}>
          <FlameIcon size={16} />
          {title}
        </h2>
      </summary>
      {children}
    </details>
  )
}
