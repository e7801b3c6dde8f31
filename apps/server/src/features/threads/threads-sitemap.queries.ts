import { sql } from 'kysely'
import { SPEED_THREADS } from '@shinobi/contract/limits'
import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { listedThreads } from './thread-heads.ts'

/**
 * Buckets of the search index (1,024 threads each, by age) in one file: about 8,000 threads and a
 * megabyte. Buckets never change their borders, so a thread never moves to another file.
 */
export const FILE_BUCKETS = 8
/** Maximum of a file in the protocol, in case a bucket is far too full. */
const FILE_MAX = 50_000

const visible = isThreadVisible('t')

/**
 * Borders of the files: the first thread of each. Imported threads are in buckets below 1, so their
 * files count down from 0, and the lowest one may have fewer buckets.
 */
const borders = sql`
  select distinct on (page) floor((bucket - 1) / ${sql.lit(FILE_BUCKETS)}::numeric)::integer + 1 as page,
    "firstThreadId" as first
  from "searchBuckets" order by page, bucket`

export interface SitemapFile {
  readonly page: number
  /** The newest post of its threads; null when it is older than those that are looked at. */
  readonly lastPostAt: Date | null
}

/**
 * The files of all threads. To know when each one last changed would mean to read all threads; so
 * the threads with the newest posts date their files, which are the ones to read again.
 */
export async function selectSitemapFiles(db: Db): Promise<SitemapFile[]> {
  const { table } = await listedThreads(db)
  const { rows } = await sql<SitemapFile>`
    with files as materialized (${borders}), firsts as (
      select array_agg(first order by page) as firsts, array_agg(page order by page) as pages from files
    ), lively as materialized (
      select t.id, t."lastPostAt" from ${table} as t where ${visible}
      order by t."rankedPostAt" desc, t.id desc limit ${sql.lit(SPEED_THREADS)}
    ), changed as (
      select firsts.pages[width_bucket(lively.id, firsts.firsts)] as page, max(lively."lastPostAt") as "lastPostAt"
      from lively cross join firsts group by 1
    )
    select files.page, changed."lastPostAt" from files left join changed on changed.page = files.page
    order by files.page`.execute(db)
  return rows
}

/** The visible threads of a file, oldest first; null when there is no such file. */
export async function selectSitemapThreads(
  db: Db,
  page: number,
): Promise<{ readonly id: string; readonly lastPostAt: Date }[] | null> {
  const { rows: found } = await sql<{ page: number; first: string }>`
    select page, first from (${borders}) as files where page in (${page}, ${page + 1}) order by page`.execute(db)
  const [file, next] = found
  if (file?.page !== page) return null
  const until = next === undefined ? sql`true` : sql`t.id < ${next.first}::uuid`
  const { table } = await listedThreads(db)
  const { rows } = await sql<{ id: string; lastPostAt: Date }>`
    select t.id, t."lastPostAt" from ${table} as t
    where ${visible} and t.id >= ${file.first}::uuid and ${until} order by t.id limit ${sql.lit(FILE_MAX)}`.execute(db)
  return rows
}
