import type { Pagination as PageOfAll } from '@shinobi/contract/common'
import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import styles from './found-list.module.css'
import { useFilters } from './use-filters.ts'
import { usePage } from './use-page.ts'

interface FoundListProps {
  /** The kind of items. */
  label: string
  pagination: PageOfAll
  /** They are those of another search or page, shown while this one is loaded. */
  stale: boolean
  /** The rows, if there are any. */
  children: ReactNode
}

/**
 * A list with filters: rows and pages, or a message that nothing matches; and a note when there may
 * be more than was found.
 */
export function FoundList({ label, pagination, stale, children }: FoundListProps) {
  const { page, to } = usePage()
  const { isFiltered } = useFilters()
  if (pagination.total === 0 && !stale)
    return isFiltered ? (
      <EmptyState title={`条件に当てはまる${label}はありません。`}>
        {pagination.partial && (
          <p>新しいものから一部だけを探しました。言葉や書いた人を加えると、古いものも見つかります。</p>
        )}
        <ButtonLink to="?">条件をクリア</ButtonLink>
      </EmptyState>
    ) : (
      <EmptyState title={`${label}はまだありません。`} />
    )
  // The last row of the last page was deleted, or the number was typed.
  if (page > pagination.totalPages && !stale) return <Navigate replace to={to(pagination.totalPages)} />
  return (
    <>
      {children}
      {pagination.partial && (
        <p className={styles['partial']}>
          ほかにも当てはまるものがあるかもしれません。条件を加えて絞り込んでください。
        </p>
      )}
      <Pagination label={label} {...pagination} to={to} />
    </>
  )
}
