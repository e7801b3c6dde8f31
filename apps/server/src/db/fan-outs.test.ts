/**
 * Statements of features name the threads that they are about, so that on a cluster each needs the
 * workers of these threads only. Which do not, and why they may, stands here. Those for a cluster
 * name the threads of each table.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readStatements } from '../testing/statements.ts'
import { distribution } from './distribution.ts'
import { reachOf } from './statement-reach.ts'

const COPIED = 'a copied table: its rare writes concern every server'
const BY_SHARD = 'on a cluster it goes by shard or by thread (shards.ts, writeByThread in distribution.ts)'
const HEADS = 'on a cluster lists are read from the coordinator (features/threads/thread-heads.ts)'
const INDEX = 'the index of the search is on all workers, and each stops when it has a page'
const PERSON = 'what one person has written or liked: an index look-up on each worker, a page of it'
const STAFF = 'a page for the staff, or one of their actions'
const SWEEP = 'work in the background, in small portions'
const PLACES = 'a page of threads or posts that another table names, joined with them'

/** By the file that sends the statement. */
const FAN_OUTS: Readonly<Record<string, string>> = {
  'features/accounts/rooms.queries.ts': PERSON,
  'features/accounts/users.queries.ts': COPIED,
  'features/admin/admin-lists.queries.ts': STAFF,
  'features/admin/admin.routes.ts': STAFF,
  'features/admin/dashboard.service.ts': STAFF,
  'features/admin/found.queries.ts': STAFF,
  'features/admin/writer.queries.ts': PERSON,
  'features/admin/writer.service.ts': STAFF,
  'features/admission/similar-texts.queries.ts': 'the newest posts of the board, when a server starts',
  'features/audit/audit.queries.ts': PLACES,
  'features/bans/banning.service.ts': STAFF,
  'features/bans/bans.routes.ts': STAFF,
  'features/categories/categories.queries.ts': `${COPIED}; the newest posts by category, in a cached answer`,
  'features/gateway/dats.queries.ts': HEADS,
  'features/held/held.queries.ts': PLACES,
  'features/held/held.service.ts': 'the thread of a request, whose id the coordinator knows',
  'features/images/images.queries.ts': SWEEP,
  'features/ip-logging/ip-logging.queries.ts': STAFF,
  'features/likes/liked-lists.queries.ts': PERSON,
  'features/likes/likes.queries.ts': BY_SHARD,
  'features/moderation/follow-removals.queries.ts': PLACES,
  'features/moderation/queue.queries.ts': STAFF,
  'features/moderation/undo.service.ts': STAFF,
  'features/news/news.sweep.queries.ts': SWEEP,
  'features/news/status.queries.ts': PLACES,
  'features/news/steps/rechecking.queries.ts': PLACES,
  'features/news/stories.queries.ts': PLACES,
  'features/owners/owners.service.ts': BY_SHARD,
  'features/posts/authors.queries.ts': PERSON,
  'features/posts/late-counts.ts': SWEEP,
  'features/posts/numbering.queries.ts': BY_SHARD,
  'features/posts/posts-purge.queries.ts': SWEEP,
  'features/posts/removals.queries.ts': BY_SHARD,
  'features/posts/removals.service.ts': BY_SHARD,
  'features/posts/removed-images.queries.ts': SWEEP,
  'features/profile/profile.routes.ts': PERSON,
  'features/reports/case-lists.queries.ts': STAFF,
  'features/reports/cases.queries.ts': BY_SHARD,
  'features/reports/reporters.queries.ts': `${COPIED}; ${STAFF}`,
  'features/reports/reports.queries.ts': `${COPIED}; ${BY_SHARD}`,
  'features/search/bulk-index.ts': 'an import, which collects texts on one PostgreSQL only',
  'features/search/matches.queries.ts': INDEX,
  'features/search/search.frequencies.ts': 'on a cluster nothing is counted',
  'features/search/search.queries.ts': INDEX,
  'features/threads/imported-threads.queries.ts': 'the new threads of an import, some at a time',
  'features/threads/next-threads.queries.ts': PLACES,
  'features/threads/nicknames.queries.ts': `${BY_SHARD}; ${SWEEP}`,
  'features/threads/past-threads.ts': HEADS,
  'features/threads/thread-locks.queries.ts': BY_SHARD,
  'features/threads/thread-heads.ts': 'copies made in portions, when a server starts',
  'features/threads/threads-purge.queries.ts': SWEEP,
  'features/threads/threads-sitemap.queries.ts': HEADS,
  'features/threads/threads-state.queries.ts': STAFF,
  'features/threads/threads.queries.ts': HEADS,
  'features/threads/threads.service.ts': 'the thread of a request, whose id the coordinator knows',
  'features/threads/threads.sort-columns.ts': SWEEP,
  'features/words/word-trial.service.ts': STAFF,
  'features/words/words.queries.ts': PLACES,
}

// scripts/test.mjs runs this after the other tests, on the system's PostgreSQL.
const statements = process.env['TEST_DATABASE_URL'] === undefined ? null : readStatements()

it.runIf(statements !== null)('statements that name no thread are sent by known files, for a known reason', () => {
  const senders = statements!
    .filter(({ sender }) => sender !== null && !/\.test\.ts$|^(?:testing|seed)\//.test(sender))
    .filter(({ text }) => reachOf(text, []) === 'all')
    .map(({ sender }) => sender!)
  expect(senders.length).toBeGreaterThan(100)
  expect([...new Set<string>(senders)].filter((sender) => !Object.hasOwn(FAN_OUTS, sender))).toEqual([])
})

const SPREAD = Object.entries(distribution)
  .filter(([, placement]) => typeof placement === 'object')
  .map(([table]) => table)
  .join('|')
const IS_LIMITED = /= any\(\$\d+::uuid\[\]\)/
const READ_OR_CHANGED = new RegExp(
  String.raw`(?:\b(?:from|join|update|using)\s+\(?|,\s+(?="?\w+"?\s+as\s))"?(${SPREAD})"?(?!["\w])(?:\s+as\s+"?(\w+))?`,
  'g',
)
const LIMIT = /(?:"?(\w+)"?\.)?"?\b(?:threadId|id)"?\s*=\s*(?:any\()?\$\d+/g

/** The tables that a statement reads or changes, by alias, without a limit of their own. */
function findUnlimited(text: string): string[] {
  const limits = Array.from(text.matchAll(LIMIT), ([, alias = '']) => alias)
  const unlimited: string[] = []
  for (const [, table = '', alias] of text.matchAll(READ_OR_CHANGED)) {
    const at = limits.findIndex((own) => own === (alias ?? '') || own === table)
    if (at === -1) unlimited.push(alias ?? table)
    else limits.splice(at, 1)
  }
  return unlimited
}

it('each table of a statement needs a limit', () => {
  const limited = `select from threads as t join "posts" as "p" on p."threadId" = t.id where t.id = any($1::uuid[])`
  expect(findUnlimited(limited)).toEqual(['p'])
  expect(findUnlimited(`${limited} and "p"."threadId" = any($1::uuid[])`)).toEqual([])
  const nested = `select array(select kind from "ownerActions" where "threadId" = t.id) from threads as t where t.id = $1`
  expect(findUnlimited(nested)).toEqual(['ownerActions'])
})

// scripts/test.mjs records these on a stand-in (testing/stand-in-cluster.ts).
it.runIf(statements !== null)('statements for one worker of a cluster limit each of their tables', () => {
  const limited = statements!.filter(({ text, isForCluster }) => isForCluster && IS_LIMITED.test(text))
  expect(limited.length).toBeGreaterThan(12)
  const unlimited = limited.map(({ text, sender }) => ({ sender, tables: findUnlimited(text), text }))
  expect(unlimited.filter(({ tables }) => tables.length > 0)).toEqual([])
})

it('the list names no file that is gone', () => {
  expect(Object.keys(FAN_OUTS).filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([])
})
