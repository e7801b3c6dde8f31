import { categoryLabel } from '@shinobi/contract/category-labels'
import { PAGE_SIZE } from '@shinobi/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearchParams } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { categoryQuery } from '../../features/categories/api.ts'
import { useShownTitles } from '../../features/hiding/use-shown-titles.ts'
import { Likes } from '../../features/likes/likes.tsx'
import { cursorOf } from '../../features/threads/list-address.ts'
import { pastQuery } from '../../features/threads/past-list.ts'
import { ThreadRow } from '../../features/threads/thread-row.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './past-page.module.css'

/** /past and /categories/:categoryId/past: the threads that reached their limit. */
export function PastPage() {
  const ref = useParams()['categoryId'] ?? null
  const cursor = useSearchParams()[0].get('cursor')
  const category = useQuery({ ...categoryQuery(ref ?? ''), enabled: ref !== null }).data
  const { data, isError, error, refetch } = useQuery(pastQuery(ref, cursor))
  const isShown = useShownTitles()
  const name = category?.name ?? ref
  const address = paths.past(name ?? undefined)
  const next = cursorOf(data?.next ?? null)
  const where = name === null ? '' : `${categoryLabel(name)}の`
  return (
    <div className={`container ${styles['page']}`}>
      <PageHead
        title={`${where}過去ログ`}
        description={`${where}書き込みの上限に達したスレッドです。新しく終わったものから並びます。`}
        path={address + (cursor === null ? '' : `?cursor=${encodeURIComponent(cursor)}`)}
      />
      <header className={styles['head']}>
        <h1 className="screen-title">過去ログ</h1>
        <p className="meta">{where}書き込みの上限に達したスレッドです。いつまでも読めて、検索でも見つかります。</p>
        <Link to={name === null ? paths.home : paths.category(name)}>スレッド一覧に戻る</Link>
      </header>
      {data === undefined && !isError && <Spinner label="読み込み中" />}
      {data === undefined && isError && <ErrorBox message={error.message} onRetry={() => void refetch()} />}
      {cursor !== null && (
        <p>
          <Link to={address}>一覧の先頭に戻る</Link>
        </p>
      )}
      {data !== undefined && data.items.length > 0 && (
        <ul className={styles['list']}>
          {data.items.filter(isShown).map((thread) => (
            <ThreadRow key={thread._id} thread={thread} isNew={false} namesCategory={name === null} />
          ))}
        </ul>
      )}
      {data?.items.length === 0 && (
        <EmptyState title="過去ログはまだありません。">
          <p>書き込みの上限に達したスレッドが、ここに並びます。</p>
        </EmptyState>
      )}
      {next !== null && (
        <p className={styles['more']}>
          <Link rel="next" to={`${address}?cursor=${encodeURIComponent(next)}`}>
            次の{PAGE_SIZE}件
          </Link>
        </p>
      )}
      <Likes />
    </div>
  )
}
