import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { EmptyState } from '../../ui/empty.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { Table } from '../../ui/table.tsx'
import { Loaded } from './screen.tsx'

interface ListedTableProps<Page, Row> extends Pick<ComponentProps<typeof Table<Row>>, 'caption' | 'columns'> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  rowsOf: (page: Page) => readonly Row[]
  /** The words for no rows. */
  empty: string
}

/** A list of the administration that is loaded part by part, as a table. */
export const ListedTable = <Page, Row extends { readonly _id: string }>({
  query,
  rowsOf,
  empty,
  ...table
}: ListedTableProps<Page, Row>) => (
  <Loaded query={query}>
    {({ pages }) => {
      const rows = pages.flatMap(rowsOf)
      if (rows.length === 0) return <EmptyState title={empty} />
      return (
        <>
          <Table {...table} rows={rows} keyOf={({ _id }) => _id} stale={query.isPlaceholderData} />
          <MoreButton query={query} />
        </>
      )
    }}
  </Loaded>
)
