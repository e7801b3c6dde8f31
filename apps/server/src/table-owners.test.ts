/**
 * Each table is written by one feature only, whose queries other features call: checked in the
 * sources.
 */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Tables } from './db/tables.ts'

type Table = keyof Tables

/** The owner of each table: a folder in features/, or one beside it. */
const OWNERS: Readonly<Record<Table, string>> = {
  settings: 'settings',
  revisions: 'db',
  tallies: 'db',
  imageTotals: 'images',
  auditLog: 'audit',
  bannedWords: 'words',
  searchDocuments: 'search',
  searchBuckets: 'search',
  categories: 'categories',
  users: 'accounts',
  userNames: 'accounts',
  sessions: 'accounts',
  mailTokens: 'accounts',
  mails: 'accounts',
  secondFactors: 'accounts',
  moderators: 'accounts',
  rooms: 'accounts',
  bans: 'bans',
  origins: 'bans',
  dayKeys: 'posters',
  shields: 'shields',
  proofs: 'shields',
  proofCodes: 'shields',
  levels: 'levels',
  levelPhrases: 'levels',
  levelMoves: 'levels',
  threads: 'threads',
  threadHeads: 'threads',
  threadRequests: 'threads',
  nicknames: 'threads',
  threadKeys: 'threads',
  traceOrders: 'ip-logging',
  traces: 'ip-logging',
  posts: 'posts',
  ownerActions: 'owners',
  heldPosts: 'held',
  threadLikes: 'likes',
  postLikes: 'likes',
  reports: 'reports',
  cases: 'reports',
  mutedReporters: 'reports',
  departures: 'profile',
  notebookEntries: 'notebook',
  hidingRules: 'notebook',
  pushBrowsers: 'push',
  pushWatches: 'push',
  pushWords: 'push',
  pushNotices: 'push',
  newsSources: 'news',
  newsStories: 'news',
  newsArticles: 'news',
  newsCalls: 'news',
  datLengths: 'gateway',
}

const ONE_STATEMENT = 'one statement changes both, so that neither is ever seen without the other'

/** Tables that another file writes too, with the reason. */
const EXCEPTIONS: readonly { readonly table: Table; readonly file: string; readonly why: string }[] = [
  {
    table: 'posts',
    file: 'features/threads/threads.queries.ts',
    why: `a thread opens with its post 1: ${ONE_STATEMENT}`,
  },
  {
    table: 'threads',
    file: 'features/posts/numbering.queries.ts',
    why: `posts are numbered by their thread: ${ONE_STATEMENT}`,
  },
  {
    table: 'threads',
    file: 'features/posts/posts.queries.ts',
    why: `a corrected opening changes the title too: ${ONE_STATEMENT}`,
  },
  {
    table: 'threads',
    file: 'features/posts/folding.queries.ts',
    why: `a fold raises the revision, and hides post 1: ${ONE_STATEMENT}`,
  },
  {
    table: 'threads',
    file: 'features/likes/likes.queries.ts',
    why: `a counter is the number of its rows: ${ONE_STATEMENT}`,
  },
  {
    table: 'posts',
    file: 'features/likes/likes.queries.ts',
    why: `a counter is the number of its rows: ${ONE_STATEMENT}`,
  },
  { table: 'threadHeads', file: 'db/distribute.ts', why: 'a board that is being distributed has no heads yet' },
  { table: 'users', file: 'backup/reconcile-pictures.ts', why: 'a restored board is nobody’s yet' },
  { table: 'heldPosts', file: 'backup/reconcile-pictures.ts', why: 'a restored board is nobody’s yet' },
]

/** Functions that get the table's name from their caller; the call is checked instead. */
const BY_NAME: ReadonlySet<string> = new Set(['db/delete-of-thread.ts', 'backup/load.ts'])

/**
 * Patterns of statements that write a table; the name is null where the text does not contain it.
 */
const FORMS = [
  /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:'(?<name>\w+)(?: as \w+)?'|[^'\s])/g,
  /\bdeleteOfThread\(\s*\w+,\s*(?:'(?<name>\w+)'|[^'\s])/g,
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?)\s+(?:only\s+)?(?:"?(?<name>\w+)"?|\$\{)/gi,
  /\bupdate\s+(?:only\s+)?(?:"?(?<name>\w+)"?|\$\{[^}]*\})\s+(?:as\s+\w+\s+)?set\b/gi,
]

/** The names of the tables that a source writes; null for each name that is not in the text. */
function tablesWrittenBy(source: string): (string | null)[] {
  const code = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  return FORMS.flatMap((form) => [...code.matchAll(form)].map(({ groups }) => groups?.['name'] ?? null))
}

/** The feature, or the folder beside features/, of a file. */
const folderOf = (file: string): string => /^(?:features\/)?([^/]+)\//.exec(file)?.[1] ?? file

const files = globSync('**/*.ts', { cwd: import.meta.dirname })
  .map((file) => file.replaceAll('\\', '/'))
  // Migrations create the tables; code that fills boards for trials and tests belongs to no
  // feature.
  .filter((file) => !/(\.test\.ts$|^db\/migrations\/|^testing\/|^seed\/)/.test(file))
  .toSorted()

const isTable = (name: string): name is Table => Object.hasOwn(OWNERS, name)

const writes = files.flatMap((file) =>
  [...new Set(tablesWrittenBy(readFileSync(new URL(file, import.meta.url), 'utf8')))].map((name) => ({ file, name })),
)

describe('a table', () => {
  it('is written by its owner only', () => {
    const foreign = writes.flatMap(({ file, name }) => {
      if (name === null || !isTable(name) || OWNERS[name] === folderOf(file)) return []
      const isExcepted = EXCEPTIONS.some((exception) => exception.table === name && exception.file === file)
      return isExcepted ? [] : [`${file} writes ${name}, which belongs to ${OWNERS[name]}: call a query of its owner`]
    })
    expect(foreign).toEqual([])
  })

  it('is named in each statement that writes it', () => {
    const nameless = writes.flatMap(({ file, name }) => (name === null && !BY_NAME.has(file) ? [file] : []))
    expect(nameless).toEqual([])
  })

  it('is written by its owner, and every exception is still needed', () => {
    const unwritten = Object.entries(OWNERS).filter(
      ([table, owner]) => !writes.some(({ file, name }) => name === table && folderOf(file) === owner),
    )
    expect(unwritten).toEqual([])
    const over = EXCEPTIONS.filter(({ table, file }) => !writes.some((one) => one.name === table && one.file === file))
    expect(over).toEqual([])
  })

  it.each([
    ["db.insertInto('posts').values(rows)", 'posts'],
    ["db\n    .updateTable('posts as p')", 'posts'],
    ["tx.deleteFrom('posts')", 'posts'],
    ["deleteOfThread(db, 'posts', threadId, limit)", 'posts'],
    ['sql`insert into "heldPosts" as h (id)`', 'heldPosts'],
    ['sql`with a as (delete from posts where id = 1)`', 'posts'],
    ['sql`update posts as p\n    set likes = 1`', 'posts'],
    ['sql`update "heldPosts" set why = null`', 'heldPosts'],
    ['db.deleteFrom(table)', null],
    ['sql`delete from ${name} where true`', null],
    ['sql`update ${sql.table(name)} set a = 1`', null],
  ])('is detected as written in: %s', (source, name) => {
    expect(tablesWrittenBy(source)).toEqual([name])
  })

  it.each(['sql`select 1 for update`', 'sql`on conflict (id) do update set a = 1`', '// update posts set a = 1'])(
    'is not detected as written in: %s',
    (source) => {
      expect(tablesWrittenBy(source)).toEqual([])
    },
  )
})

it('only db/visible.ts defines which posts and threads are visible', () => {
  const others = files.filter((file) => {
    const source = readFileSync(new URL(file, import.meta.url), 'utf8')
    return /"?(removedAt|deletedAt)"? is (not )?null|'(\w+\.)?(removedAt|deletedAt)', 'is( not)?'/.test(source)
  })
  expect(others).toEqual([])
})
