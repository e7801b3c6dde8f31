import type { Dashboard } from '@shinobi/contract/admin'
import { inFigures } from '@shinobi/contract/in-figures'
import { messages } from '@shinobi/contract/messages'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { paths, type AdminScreen } from '../../../app/paths.ts'
import { dashboardQuery, useAdminId } from '../../../features/admin/api.ts'
import { queueQuery } from '../../../features/admin/queue.ts'
import { Loaded, Screen } from '../../../features/admin/screen.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Sparkline } from '../../../ui/sparkline.tsx'
import styles from './dashboard-page.module.css'

export function DashboardPage() {
  const stats = useQuery(dashboardQuery(useAdminId()))
  return (
    <Screen title="ダッシュボード">
      <Waiting />
      <Loaded query={stats} message={messages.dashboard_failed}>
        {(data) => (
          <>
            <DiskNotice disk={data.disk} />
            <Cards stats={data} />
          </>
        )}
      </Loaded>
    </Screen>
  )
}

/** Decimal megabytes, as in MIN_FREE_MB. */
const inMegabytes = (bytes: number): string => `${inFigures(Math.floor(bytes / 1_000_000))}MB`

/**
 * Shown while the server refuses writes for lack of disk space: names what is refused and when it
 * resumes.
 */
function DiskNotice({ disk: { freeBytes, refused } }: { disk: Dashboard['disk'] }) {
  if (refused === 'nothing') return null
  return (
    <div className={styles['disk']}>
      <Notice tone="error">
        <p>
          <b>サーバーの空き容量が残り{inMegabytes(freeBytes)}です。</b>
          {refused === 'pictures'
            ? '新しい画像とニュースの掲載を止めています。'
            : '書き込み、登録、いいね、通報をすべて止めています。閲覧と管理画面は使えます。'}
          空きが増えると、自動で再開します。
        </p>
      </Notice>
    </div>
  )
}

/** The queues with open decisions, shown before all figures. */
function Waiting() {
  const { data } = useQuery(queueQuery(useAdminId()))
  if (data === undefined) return null
  const waits = [
    { screen: 'reports', count: data.cases, words: '対応を待つ通報' },
    { screen: 'held', count: data.held, words: '確認待ちの書き込み' },
    // Shown only when there is some: most boards approve no news, or have none.
    ...(data.news > 0 ? [{ screen: 'news', count: data.news, words: '確認を待つニュース' } as const] : []),
  ] as const
  return (
    <ul className={styles['waiting']}>
      {waits.map(({ screen, count, words }) => (
        <li key={screen}>
          <Link to={paths.admin(screen)} className={styles['wait']} data-some={count > 0}>
            <b className={styles['count']}>{inFigures(count)}</b> {words}
          </Link>
        </li>
      ))}
    </ul>
  )
}

interface Card {
  label: string
  value: number
  screen: AdminScreen
  bars?: { values: readonly number[]; label: string }
}

function Cards({ stats }: { stats: Dashboard }) {
  const cards: Card[] = [
    {
      label: '24時間の書き込み',
      value: stats.recentPosts,
      screen: 'posts',
      bars: {
        values: stats.postsByHour,
        label: describe('直近24時間の書き込み（1時間ごと、最後はいまの1時間）', stats.postsByHour),
      },
    },
    {
      label: '7日間の新しい会員',
      value: stats.recentUsers,
      screen: 'users',
      bars: { values: stats.usersByDay, label: describe('直近7日間の新しい会員（1日ごと）', stats.usersByDay) },
    },
    { label: '書き込み', value: stats.posts, screen: 'posts' },
    { label: 'スレッド', value: stats.threads, screen: 'threads' },
    { label: '会員', value: stats.users, screen: 'users' },
    { label: 'カテゴリ', value: stats.categories, screen: 'categories' },
  ]
  return (
    <ul className={styles['cards']}>
      {cards.map(({ label, value, screen, bars }) => (
        <li key={label} className={styles['card']} data-lively={bars !== undefined}>
          <Link to={paths.admin(screen)} className={styles['link']}>
            <span className={styles['label']}>{label}</span>
            <b className={styles['value']}>{inFigures(value)}</b>
          </Link>
          {bars && (
            <>
              <Sparkline {...bars} />
              <span className={styles['ends']} aria-hidden="true">
                <span>{bars.values.length === 7 ? '7日前' : '24時間前'}</span>
                <span>最多 {inFigures(Math.max(0, ...bars.values))}</span>
                <span>いま</span>
              </span>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

const describe = (what: string, values: readonly number[]): string =>
  `${what}: 最多 ${Math.max(0, ...values)}、最少 ${Math.min(...values)}、最後 ${values.at(-1) ?? 0}`
