import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { cx } from '../../ui/cx.ts'
import { FlameIcon } from '../../ui/icons.tsx'
import { trendingQuery } from './api.ts'
import { LikeCount } from './thread-row.tsx'
import styles from './trending.module.css'

/** What is rising in a category, above its list; nothing at all when nothing rises. */
export function CategoryTrending({ category }: { category: string }) {
  const { data } = useQuery(trendingQuery(category))
  const heading = useId()
  if (data === undefined || data.length === 0) return null
  return (
    <section aria-labelledby={heading} className={styles['block']}>
      <h2 id={heading} className={styles['heading']}>
        <FlameIcon size={16} />
        このカテゴリの急上昇
      </h2>
      <ul className={styles['items']}>
        {data.map((thread) => (
          <li key={thread._id} data-ai={thread.aiGenerated || undefined}>
            <Link to={paths.thread(thread._id)} className={styles['item']}>
              <span className={`meta ${styles['likes']}`}>
                <LikeCount likes={thread.likes} />
              </span>
              <span className={styles['title']}>{thread.title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Where the sidebar stands beside the list, and its parts are open. */
const WIDE = '(min-width: 1024px)'

/**
 * What is rising on the whole board: a numbered list in the sidebar; on a phone it folds, because the threads
 * themselves come first there. The stylesheet opens it on wide windows before (and without) the script.
 * `wideOnly`: not at all on a phone, for pages that have their own trending threads above the list.
 */
export function TrendingSidebar({ wideOnly = false }: { wideOnly?: boolean }) {
  const { data = [], isPending } = useQuery(trendingQuery(null))
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
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={styles['summary']}>
        <h2 className={styles['heading']}>
          <FlameIcon size={16} />
          急上昇
        </h2>
      </summary>
      {data.length === 0 ? (
        <p className={styles['none']}>{isPending ? null : '急上昇のスレッドはありません。'}</p>
      ) : (
        <ol className={styles['ranks']}>
          {data.map((thread) => (
            <li key={thread._id} data-ai={thread.aiGenerated || undefined}>
              <Link to={paths.thread(thread._id)} className={styles['rank']}>
                {thread.title}
              </Link>
            </li>
          ))}
        </ol>
      )}
    </details>
  )
}
