import { Link, useLocation } from 'react-router'
import { paths } from '../../app/paths.ts'
import { EmptyState } from '../../ui/empty.tsx'
import { listQuery, type ListView } from './list-address.ts'

/** An empty list: the reason, and where to continue. */
export function EmptyList({ view, inCategory }: { view: ListView; inCategory: boolean }) {
  const { pathname } = useLocation()
  const isSearch = view.search !== ''
  return (
    <EmptyState title="該当するスレッドが見つかりませんでした">
      {isSearch ? (
        <p>{view.filter === undefined ? '語を減らすか' : '絞り込みを外すか'}、ほかの言い方でもお試しください。</p>
      ) : (
        <p>まだスレッドがありません。最初の1本を立ててみませんか。</p>
      )}
      {isSearch ? (
        <Link to={pathname + listQuery({ ...view, search: '', cursor: null })}>検索をやめて一覧を見る</Link>
      ) : (
        <Link to={inCategory ? paths.home : paths.categories}>
          {inCategory ? 'すべてのスレッドを見る' : 'カテゴリ一覧を見る'}
        </Link>
      )}
    </EmptyState>
  )
}
