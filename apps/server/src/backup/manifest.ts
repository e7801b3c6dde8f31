/** The entries of an archive and their names. docs/backup.md describes it for operators. */
import { z } from 'zod'
import { BackupRefusal } from './refusal.ts'

/** Incremented when older code cannot restore what newer code writes. */
export const FORMAT = 1

/** Names of the first entry, those in between, and the last one. */
export const HEAD = 'board.json'
export const SECRET = 'session-secret'
export const MANIFEST = 'manifest.json'

const part = (number: number): string => String(number).padStart(6, '0')
export const tablePart = (table: string, number: number): string => `tables/${table}/${part(number)}.copy`
/** Checksums of the entries since the previous list, in the format of `sha256sum --check`. */
export const checksumList = (number: number): string => `checksums/${part(number)}.sha256`

export type EntryKind =
  | { readonly kind: 'head' }
  | { readonly kind: 'manifest' }
  | { readonly kind: 'checksums' }
  | { readonly kind: 'secret' }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'picture'; readonly picture: string }

const FIXED: Readonly<Record<string, EntryKind>> = {
  [HEAD]: { kind: 'head' },
  [SECRET]: { kind: 'secret' },
  [MANIFEST]: { kind: 'manifest' },
}

/**
 * Null for every name that this code does not write: no name points outside of the folders that a
 * restore fills.
 */
export function readName(name: string): EntryKind | null {
  if (Object.hasOwn(FIXED, name)) return FIXED[name]!
  if (/^checksums\/\d{6}\.sha256$/.test(name)) return { kind: 'checksums' }
  const table = /^tables\/([A-Za-z][A-Za-z0-9_]*)\/\d{6}\.copy$/.exec(name)?.[1]
  if (table !== undefined) return { kind: 'table', table }
  return isPictureName(name) ? { kind: 'picture', picture: name } : null
}

/** `images/…` is served, `images-hidden/…` belongs to removed posts; as in DATA_DIR. */
const isPictureName = (name: string): boolean =>
  /^images(-hidden)?\/[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9]+)+$/.test(name)

const count = z.int().min(0)

/** A sequence of a column; its value is text, because it may exceed the integers of JavaScript. */
const sequence = z.strictObject({ column: z.string(), value: z.string().regex(/^-?\d+$/), isCalled: z.boolean() })

const table = z.strictObject({
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]*$/),
  /** Columns of the parts, in order. */
  columns: z.array(z.string().min(1)),
  sequences: z.array(sequence),
})

const head = z.strictObject({
  format: z.literal(FORMAT),
  /** Version of the product that wrote it. */
  version: z.string(),
  /** The last migration of the database. */
  schema: z.string(),
  createdAt: z.iso.datetime(),
  /** Each after those that it refers to. */
  tables: z.array(table),
})

const manifest = z.strictObject({
  /** Number and bytes of the entries, without the checksum lists and the manifest itself. */
  entries: count,
  bytes: count,
  /**
   * SHA-256 of all checksum lists in sequence, so that none is missing, duplicated or out of order.
   */
  checksums: z.string().regex(/^[0-9a-f]{64}$/),
  /** One for each table in `head.tables`. */
  tables: z.record(z.string(), z.strictObject({ rows: count, bytes: count })),
  pictures: z.strictObject({ files: count, bytes: count }),
})

export type TableHead = z.infer<typeof table>
export type Head = z.infer<typeof head>
export type Manifest = z.infer<typeof manifest>

export const encode = (value: Head | Manifest): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`)

/** @throws BackupRefusal */
export function decodeHead(bytes: Buffer): Head {
  const value = parseJson(bytes)
  const format = z.object({ format: z.int() }).safeParse(value).data?.format
  if (format !== undefined && format > FORMAT) {
    throw new BackupRefusal(
      `The archive has format ${format}, and this version reads up to ${FORMAT}: update the board first.`,
    )
  }
  return check(head, value, HEAD)
}

/** @throws BackupRefusal */
export const decodeManifest = (bytes: Buffer): Manifest => check(manifest, parseJson(bytes), MANIFEST)

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return null
  }
}

function check<T>(schema: z.ZodType<T>, value: unknown, name: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new BackupRefusal(`The archive is damaged: ${name} cannot be read.`)
}
