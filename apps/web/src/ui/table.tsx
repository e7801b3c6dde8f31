import type { Key, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './table.module.css'

export interface Column<Row> {
  label: string
  /** Null for an empty cell. */
  cell: (row: Row) => ReactNode
  /**
   * `head`: names the row, and comes first and larger on cards; `short`: does not wrap; `figure`:
   * numbers, aligned to the right; `wide`: takes the remaining width; `actions`: buttons.
   */
  kind?: 'head' | 'short' | 'figure' | 'wide' | 'actions'
}

interface TableProps<Row> {
  /** Describes the table to screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  /** The rows are older ones, shown while newer ones are loaded. */
  stale?: boolean
}

/**
 * A dense table with a sticky head; on a phone every row is a card, with the column labels beside
 * the cells.
 */
export function Table<Row>({ caption, columns, rows, keyOf, stale = false }: TableProps<Row>) {
  return (
    <table className={cx(styles['table'], stale && styles['stale'])} aria-busy={stale || undefined}>
      <caption className="visually-hidden">{caption}</caption>
      <thead className={styles['heads']}>
        <tr>
          {columns.map(({ label, kind }) => (
            <th key={label} scope="col" className={cx(styles['title'], kind && styles[kind])}>
              {kind === 'actions' ? <span className="visually-hidden">{label}</span> : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className={styles['rows']}>
        {rows.map((row) => (
          <tr key={keyOf(row)} className={styles['row']}>
            {columns.map(({ label, kind, cell }) => {
              const className = cx(styles['cell'], kind && styles[kind])
              if (kind === 'head')
                return (
                  <th key={label} scope="row" className={className}>
                    {cell(row)}
                  </th>
                )
              return (
                <td
                  key={label}
                  data-label={kind === 'wide' || kind === 'actions' ? undefined : label}
                  className={className}
                >
                  {kind === 'actions' ? <div className={styles['buttons']}>{cell(row)}</div> : cell(row)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
