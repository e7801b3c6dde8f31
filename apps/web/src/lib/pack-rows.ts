/**
 * Lists of objects as tables, for the state of the page: fifty posts have the same fields, most of
 * them with the same value. A packed list is half as long, and unpacks to equal objects.
 */

/** Key of a table; no data of the board has it. */
const TABLE = '#rows'
/** A shorter list gains nothing. */
const ROWS_MIN = 3

type Row = Readonly<Record<string, unknown>>

interface Table {
  readonly [TABLE]: number
  /** Fields with one value in all rows. */
  readonly same: Row
  /** Fields that count up by one; their first value. */
  readonly counted: Readonly<Record<string, number>>
  /** Fields of some rows: the index of the row, and the value. */
  readonly some: Readonly<Record<string, readonly (readonly [row: number, value: unknown])[]>>
  /** The other fields: their values, row by row. */
  readonly columns: Readonly<Record<string, readonly unknown[]>>
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replaces all lists of objects by tables; everything else stays. */
export function packRows(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isList = value.length >= ROWS_MIN && value.every(isObject)
    return isList ? packTable(value) : value.map(packRows)
  }
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, packRows(inner)]))
}

function packTable(rows: readonly Row[]): Table {
  const same: Record<string, unknown> = {}
  const counted: Record<string, number> = {}
  const some: Record<string, readonly (readonly [number, unknown])[]> = {}
  const columns: Record<string, readonly unknown[]> = {}
  for (const field of new Set(rows.flatMap(Object.keys))) {
    const values = rows.map((row) => row[field])
    const [first] = values
    if (values.includes(undefined)) {
      const present = values.flatMap((value, row) => (value === undefined ? [] : [[row, packRows(value)] as const]))
      if (present.length > 0) some[field] = present
    } else if (values.every((value) => value === first)) same[field] = packRows(first)
    else if (typeof first === 'number' && values.every((value, row) => value === first + row)) counted[field] = first
    else columns[field] = values.map(packRows)
  }
  return { [TABLE]: rows.length, same, counted, some, columns }
}

/** The inverse of `packRows`. */
export function unpackRows(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpackRows)
  if (!isObject(value)) return value
  if (TABLE in value) return unpackTable(value as unknown as Table)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, unpackRows(inner)]))
}

function unpackTable({ [TABLE]: length, same, counted, some, columns }: Table): Row[] {
  const rows = Array.from({ length }, (): Record<string, unknown> => ({ ...(unpackRows(same) as Row) }))
  for (const [row, fields] of rows.entries()) {
    for (const field in counted) fields[field] = counted[field]! + row
    for (const field in columns) fields[field] = unpackRows(columns[field]![row])
  }
  for (const field in some) for (const [row, value] of some[field]!) rows[row]![field] = unpackRows(value)
  return rows
}
