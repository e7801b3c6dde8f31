import { Link, useNavigate } from 'react-router'
import { inFigures } from '@shinobi/contract/in-figures'
import { useImeSafeEnter } from '../lib/use-ime-safe-enter.ts'
import { Button } from './button.tsx'
import { ChevronIcon } from './icons.tsx'
import { pageNumbers, readPageNumber } from './page-numbers.ts'
import styles from './pagination.module.css'

interface PaginationProps {
  /** The name of the list, for the label of the landmark. */
  label: string
  page: number
  totalPages: number
  total: number
  /** Address of a page. */
  to: (page: number) => string
}

/** Links to the neighbouring pages, the first and the last one, and a field for any page number. */
export function Pagination({ label, page, totalPages, total, to }: PaginationProps) {
  return (
    <nav className={styles['pagination']} aria-label={`${label}のページ`}>
      <p className={styles['total']}>
        全{inFigures(total)}件{totalPages > 1 && ` ・ ${inFigures(page)} / ${inFigures(totalPages)}ページ`}
      </p>
      {totalPages > 1 && (
        <ul className={styles['pages']}>
          <Step label="前のページ" direction="left" to={page > 1 ? to(page - 1) : null} />
          {pageNumbers(page, totalPages).map((number, index) => (
            <li key={number ?? `gap${index}`}>
              {number === null ? (
                <span className={styles['gap']} aria-hidden="true">
                  …
                </span>
              ) : (
                <Link
                  to={to(number)}
                  className={styles['page']}
                  aria-label={`${inFigures(number)}ページ目`}
                  {...(number === page && { 'aria-current': 'page' as const })}
                >
                  {inFigures(number)}
                </Link>
              )}
            </li>
          ))}
          <Step label="次のページ" direction="right" to={page < totalPages ? to(page + 1) : null} />
        </ul>
      )}
      {pageNumbers(page, totalPages).includes(null) && <Jump totalPages={totalPages} to={to} />}
    </nav>
  )
}

function Step({ label, direction, to }: { label: string; direction: 'left' | 'right'; to: string | null }) {
  const icon = <ChevronIcon size={16} direction={direction} />
  return (
    <li>
      {to === null ? (
        <span className={styles['page']} data-off>
          {icon}
        </span>
      ) : (
        <Link to={to} className={styles['page']} aria-label={label} rel={direction === 'left' ? 'prev' : 'next'}>
          {icon}
        </Link>
      )}
    </li>
  )
}

function Jump({ totalPages, to }: Pick<PaginationProps, 'totalPages' | 'to'>) {
  const navigate = useNavigate()
  const enter = useImeSafeEnter({})
  return (
    <form
      className={styles['jump']}
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget).get('page')
        const page = readPageNumber(typeof typed === 'string' ? typed : '', totalPages)
        event.currentTarget.reset()
        if (page !== null) void navigate(to(page))
      }}
    >
      <input
        {...enter}
        name="page"
        inputMode="numeric"
        autoComplete="off"
        className={styles['field']}
        aria-label={`ページ番号（1〜${totalPages}）`}
      />
      <Button type="submit" size="sm">
        ページへ
      </Button>
    </form>
  )
}
