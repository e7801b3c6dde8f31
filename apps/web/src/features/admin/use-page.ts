import { useSearchParams } from 'react-router'
import { readPageNumber } from '../../ui/page-numbers.ts'

/** The page number of the address (?page=), and the addresses of other pages. */
export function usePage(): { page: number; to: (page: number) => string } {
  const [parameters] = useSearchParams()
  const page = readPageNumber(parameters.get('page') ?? '1', 1_000_000) ?? 1
  const to = (wanted: number) => {
    const next = new URLSearchParams(parameters)
    if (wanted === 1) next.delete('page')
    else next.set('page', String(wanted))
    const query = next.toString()
    return query === '' ? '?' : `?${query}`
  }
  return { page, to }
}
