import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

const FILTERS = ['q', 'writer', 'category', 'state', 'from', 'to'] as const
export type FilterName = (typeof FILTERS)[number]
/** The filters of a list, with the same names in the address and in the API call. */
export type Filters = Readonly<Partial<Record<FilterName, string>>>

/** The filters are stored in the address, so that Back, a reload and a link keep them. */
export function useFilters(): { filters: Filters; isFiltered: boolean } {
  const [parameters] = useSearchParams()
  return useMemo(() => {
    const filters = readFilters((name) => parameters.get(name))
    return { filters, isFiltered: Object.keys(filters).length > 0 }
  }, [parameters])
}

/** The filters that are set. */
export const readFilters = (get: (name: FilterName) => unknown): Filters =>
  Object.fromEntries(
    FILTERS.flatMap((name) => {
      const value = get(name)
      return typeof value === 'string' && value.trim() !== '' ? [[name, value.trim()]] : []
    }),
  )
