import type { Key, ReactNode } from 'react'
import { cx } from './cx.ts'
import styles from './table.module.css'

export interface Column<Row> {
  label: string
  /** Null where there is nothing to say. */
  cell: (row: Row) => ReactNode
  /**
   * `head`: names the row, and stands first and larger where rows are cards; `short`: never broken; `figure`: numbers, at the right; `wide`: takes what room
   * there is; `actions`: buttons.
   */
  kind?: 'head' | 'short' | 'figure' | 'wide' | 'actions'
}

interface TableProps<Row> {
  /** What the table lists, for those who hear it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => Key
  /** Older rows, while newer ones are on their way. */
  stale?: boolean
}

/** A dense table with a head that stays; on a phone every row is a card, with the head's words beside the cells. */
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
