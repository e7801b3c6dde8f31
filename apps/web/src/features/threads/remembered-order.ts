/**
 * The order of lists that this browser chose last. It applies to lists whose address names nothing:
 * public/boot.js loads the address with the order instead of the page, and `useRememberedOrder`
 * does it within a page. Without a script the order is the default.
 */
import { useEffect } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { readStored, writeStored } from '../../lib/storage.ts'
import { listQuery, SORTS } from './list-address.ts'

const KEY = 'listOrder'

export function rememberOrder(sort: string): void {
  writeStored(KEY, sort === SORTS[0]?.value ? null : sort)
}

/**
 * Goes on to the remembered order. Returns whether it does, so that the rows of another order are
 * not shown first. A link to a row, the way back, and a thread just created mean the list as it is.
 */
export function useRememberedOrder(): boolean {
  const { pathname, search, hash, state } = useLocation()
  const navigate = useNavigate()
  const arrived = useNavigationType() !== 'POP' && search === '' && hash === '' && state === null
  const sort = arrived ? SORTS.find(({ value }) => value === readStored(KEY))?.value : undefined
  const query = sort === undefined ? '' : listQuery({ search: '', sort, cursor: null })
  useEffect(() => {
    if (query !== '') void navigate(pathname + query, { replace: true })
  }, [pathname, query, navigate])
  return query !== ''
}
