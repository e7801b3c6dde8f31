import { sql, type RawBuilder } from 'kysely'
import { NAMELESS } from '@shinobi/contract/nameless'
import type { SearchPeriod } from '@shinobi/contract/threads'
import { foldForSearch, INVISIBLE } from '@shinobi/text/fold'
import { isPostVisible } from '../../db/visible.ts'

/**
 * The posts among which a search looks for its words; -words still leave out every thread that has
 * them, so that a filter never adds results. A title counts as a part of post 1.
 */
export interface PostFilter {
  /** Null for posts of any age. */
  readonly since: Date | null
  /** A part of the writer's name, folded; null for all writers. */
  readonly name: string | null
  readonly withImage: boolean
}

const HOURS: Readonly<Record<SearchPeriod, number>> = { day: 24, week: 7 * 24, month: 30 * 24, year: 365 * 24 }

interface FilterQuery {
  readonly within?: SearchPeriod | undefined
  readonly name?: string | undefined
  readonly image?: '1' | undefined
}

/** The filter of a search; null without one. */
export function readFilter({ within, name = '', image }: FilterQuery, now: number): PostFilter | null {
  const folded = foldForSearch(name)
  if (within === undefined && folded === '' && image === undefined) return null
  return {
    since: within === undefined ? null : new Date(now - HOURS[within] * 3_600_000),
    name: folded === '' ? null : folded,
    withImage: image !== undefined,
  }
}

const KATAKANA = [...Array.from({ length: 0x56 }, (_, index) => 0x30a1 + index), 0x30fd, 0x30fe]
/** Greek and Cyrillic: `lower` of a database without a locale knows those of ASCII alone. */
const CAPITALS = Array.from({ length: 0xa0 }, (_, index) => String.fromCharCode(0x390 + index)).filter(
  (letter) => letter.toLowerCase() !== letter && letter.toLowerCase().length === 1,
)
/** `translate` deletes what has no counterpart: the voicing marks at the end. */
const UNFOLDED = `${CAPITALS.join('')}${String.fromCharCode(...KATAKANA)}ヷヸヹヺς〜〰∼∾‐‑‒–—―−\u3099\u309a`
const FOLDED = `${CAPITALS.join('').toLowerCase()}${String.fromCharCode(...KATAKANA.map((kana) => kana - 0x60))}わゐゑをσ~~~~-------`

/** `INVISIBLE` as a class of PostgreSQL's expressions. Made when it is needed: it takes 20 ms. */
let invisible: string | undefined

function listInvisible(): string {
  const ranges: { readonly from: number; to: number }[] = []
  // PostgreSQL stores neither NUL nor surrogates.
  for (let code = 1; code <= 0x10_ffff; code += code === 0xd7ff ? 0x801 : 1) {
    if (String.fromCodePoint(code).replace(INVISIBLE, '') !== '') continue
    const last = ranges.at(-1)
    if (last?.to === code - 1) last.to = code
    else ranges.push({ from: code, to: code })
  }
  const escape = (code: number): string => `\\U${code.toString(16).padStart(8, '0')}`
  return `[${ranges.map(({ from, to }) => `${escape(from)}-${escape(to)}`).join('')}]`
}

/** A name folded in SQL as `foldForSearch` folds it, except for İ and the spaces around it. */
export const foldedName = (name: RawBuilder<unknown>): RawBuilder<string> => {
  invisible ??= listInvisible()
  const visible = sql`regexp_replace(${name}, ${invisible}, '', 'g')`
  const unified = sql`lower(normalize(translate(${visible}, ${'\u309b\u309c'}, ${'\u3099\u309a'}), NFKC))`
  return sql<string>`regexp_replace(translate(${unified}, ${UNFOLDED}, ${FOLDED}), ${String.raw`[\s\u1680]+`}, ' ', 'g')`
}

/**
 * SQL: whether a text of the index belongs to a visible post that fits the filter. A scalar
 * subquery, which PostgreSQL looks up by key for each text instead of joining all posts.
 */
export function fitsFilter(
  threadId: RawBuilder<unknown>,
  number: RawBuilder<unknown>,
  { since, name, withImage }: PostFilter,
): RawBuilder<boolean> {
  const conditions = [
    isPostVisible('p'),
    ...(since === null ? [] : [sql`p."createdAt" >= ${since}::timestamptz`]),
    ...(name === null ? [] : [sql`strpos(${foldedName(sql`coalesce(p.name, ${NAMELESS})`)}, ${name}) > 0`]),
    ...(withImage ? [sql`p.image is not null`] : []),
  ]
  return sql<boolean>`coalesce((
    select ${sql.join(conditions, sql` and `)} from posts as p
    where p."threadId" = ${threadId} and p.number = greatest(${number}, 1)), false)`
}
