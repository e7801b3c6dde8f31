import { categoryLabel } from '@shinobi/contract/category-labels'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useMemo, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { categoriesQuery } from './api.ts'
import styles from './featured-categories.module.css'

/**
 * The categories, the busiest first: on a phone all of them as a strip; in the sidebar six
 * (FEATURED_CATEGORIES, which the style sheet counts) and a link to the others. A failure is only
 * logged, because visitors come for the page's own list.
 */
export function FeaturedCategories({ current }: { current?: string | undefined }) {
  const { data, error } = useQuery(categoriesQuery())
  const heading = useId()
  useEffect(() => {
    if (error !== null) console.error('categories could not be read', error)
  }, [error])
  const list = useRef<HTMLUListElement>(null)
  // On a phone the list is a strip: scrolls the current category into view. (scrollIntoView would
  // scroll the page as well.)
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (list.current === null || link == null) return
    const { left, width } = link.getBoundingClientRect()
    list.current.scrollLeft += left + width / 2 - list.current.clientWidth / 2
  }, [current, data])
  const byRank = useMemo(() => data?.toSorted((a, b) => a.rank - b.rank), [data])
  if (byRank === undefined || byRank.length === 0) return null
  return (
    <nav aria-labelledby={heading} className={styles['featured']}>
      <h2 id={heading} className={styles['heading']}>
        カテゴリ
      </h2>
      <ul ref={list} className={styles['list']}>
        {byRank.map(({ _id, name }) => (
          <li key={_id}>
            <Link
              to={paths.category(name)}
              className={styles['link']}
              aria-current={name === current ? 'page' : undefined}
            >
              {categoryLabel(name)}
            </Link>
          </li>
        ))}
      </ul>
      <Link to={paths.categories} className={styles['all']}>
        すべてのカテゴリ
      </Link>
    </nav>
  )
}
