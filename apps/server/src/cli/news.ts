/**
 * `npm run news`: manages news sources and runs the news. Works on the configured database, also
 * while the server runs. `preview` needs no database, and changes nothing.
 */
import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import type { z } from 'zod'
import { NEWS_SOURCES_MAX } from '@shinobi/contract/limits'
import { NEWS_INTERVAL_MINUTES, NEWS_NAME } from '@shinobi/contract/staff-limits'
import { messages } from '@shinobi/contract/messages'
import { newsSourceInput, type NewsSourceInput } from '@shinobi/contract/news'
import { writeOpml } from '@shinobi/newsroom/articles/opml'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db/client.ts'
import { raiseRevision } from '../db/revisions.ts'
import { selectCategories, selectCategory } from '../features/categories/categories.queries.ts'
import { readIdleSources } from '../features/news/idle.service.ts'
import { selectSources } from '../features/news/sources.queries.ts'
import { createSource, importSources } from '../features/news/sources.service.ts'
import { ApiError } from '../lib/api-error.ts'
import { createProgramLogger } from '../logger.ts'
import { loadSecret } from '../secret.ts'
import { BOARD_HELP, BOARD_OPTIONS, configFor, openBoard, type BoardArguments } from './open-board.ts'
import {
  describeIdle,
  describeRun,
  describeSource,
  describeTried,
  plain,
  PROBLEMS,
  writePreview,
} from './news-report.ts'
import { readArguments, runProgram, UsageError } from './program.ts'

const HELP = `usage: npm run news -- COMMAND

  add URL NAME CATEGORY       adds a feed (RSS, Atom, RDF or JSON Feed), and tries it; NAME is shown as its source
    --permission PERMISSION   what its publisher allows: allowed (summaries), headline (only title and link), blocked
    --interval MINUTES        between two looks at it
    --language CODE           of its articles: with ja (the default) only those in Japanese are taken, with any other, such as en,
                              all are; what is not in Japanese only a model can summarise
  list                        shows the sources and how they are doing
  import FILE CATEGORY        adds the feeds of an OPML file; takes --permission, --interval and, for feeds
                              that do not say theirs, --language too
  export                      prints all sources as OPML
  run                         looks at the feeds that are due, and does all that follows, once
  preview URL                 shows what would become of an article: its text, the summary, and the checker's verdict
  preview FILE                the same for a page that was saved; - reads it from a pipe
    --url URL                 where that page is from
${BOARD_HELP}

CATEGORY is a category's name or id. Works on DATABASE_URL, or without it on the database in DATA_DIR, also while the
server runs. preview needs no database and writes nothing. With LLM_BASE_URL and
LLM_MODEL the model summarises, else the article's own sentences are taken. NEWS_PRIVATE_ADDRESSES=true also reads
addresses of your own network.`

/** A refusal, for the user. */
class Refusal extends Error {}

interface Options extends BoardArguments {
  readonly permission?: string | undefined
  readonly interval?: string | undefined
  readonly language?: string | undefined
  readonly url?: string | undefined
}

interface Command {
  /** Names of its arguments. */
  readonly takes: readonly string[]
  /** Its options. */
  readonly options?: readonly (keyof Options)[]
  /** @returns what to print */
  run(config: Config, args: readonly string[], options: Options): Promise<string>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  add: {
    takes: ['URL', 'NAME', 'CATEGORY'],
    options: ['permission', 'interval', 'language'],
    async run(config, [url = '', name = '', category = ''], options) {
      const shared = readShared(options)
      return onDatabase(config, options, async ({ db }) => {
        const categoryId = await findCategory(db, category)
        const input = readInput({ url, name, categoryId, ...shared })
        const source = await createSource({ db, now: Date.now, news: NOBODY }, null, input)
        const { tryFeed } = await import('./news-preview.ts')
        const tried = describeTried(await tryFeed(config, source.url))
        return `${plain(source.name)} is read every ${source.intervalMinutes} minutes.\n${tried}`
      })
    },
  },
  list: {
    takes: [],
    run: (config, _args, options) =>
      onDatabase(config, options, async ({ db }) => {
        const { readPause } = await import('./news-preview.ts')
        const { sources } = await readIdleSources(db, { now: Date.now(), paused: await readPause(config, db) })
        return sources.length === 0 ? 'There are no sources.' : sources.map(describeSource).join('\n')
      }),
  },
  import: {
    takes: ['FILE', 'CATEGORY'],
    options: ['permission', 'interval', 'language'],
    async run(config, [file = '', category = ''], options) {
      const shared = readShared(options)
      const opml = (await readBytes(file)).toString()
      return onDatabase(config, options, async ({ db }) => {
        const categoryId = await findCategory(db, category)
        const deps = { db, now: Date.now, news: NOBODY }
        const imported = await importSources(deps, null, { ...shared, categoryId, opml })
        const { added, known, unusable, unusableCount } = imported
        const lines = [`${added} added, ${known} known before.`, ...unusable.map((url) => `Unusable: ${plain(url)}`)]
        if (unusableCount > unusable.length) lines.push(`Unusable: ${unusableCount - unusable.length} more.`)
        return lines.join('\n')
      })
    },
  },
  export: {
    takes: [],
    run: (config, _args, options) =>
      onDatabase(config, options, async ({ db }) => writeOpml(await selectSources(db), new Date()).trimEnd()),
  },
  run: {
    takes: [],
    run: (config, _args, options) => onDatabase(config, options, (database) => runOnce(config, database)),
  },
  preview: {
    takes: ['URL | FILE | -'],
    options: ['url'],
    async run(config, [from = ''], { url }) {
      const isPage = /^https?:\/\//i.test(from)
      if (isPage && url !== undefined) throw new UsageError('--url goes with a saved page.')
      const address = isPage ? from : url
      if (address !== undefined && !isWebAddress(address)) throw new Refusal(`${address} is no address of a page.`)
      const page = isPage ? null : { bytes: await readBytes(from), url: url ?? null }
      const { previewArticle } = await import('./news-preview.ts')
      const preview = await previewArticle(config, from, page)
      if (preview.summary.kind !== 'made') process.exitCode = 1
      return writePreview(preview, process.stdout.columns ?? 80)
    },
  },
}

/** A running server polls for due work by itself. */
const NOBODY = { wake: () => {} }

const isWebAddress = (text: string): boolean => newsSourceInput.shape.url.safeParse(text).success

/** Does all due work, with the server's own modules but without serving. */
async function runOnce(config: Config, database: Database): Promise<string> {
  const log = createProgramLogger()
  // Loaded on demand: the whole board takes a second to load.
  const { buildApp } = await import('../app.ts')
  const { openBusOf } = await import('../serve.ts')
  const secret = loadSecret(config)
  // Announces the new threads to running servers.
  const bus = await openBusOf(config, secret, log)
  const options = { config: { ...config, newsSchedule: false }, database, secret, bundle: null, bus }
  const { app, deps } = await buildApp({ ...options, logger: log })
  try {
    await app.ready()
    if (!deps.settings.current.newsActive) throw new Refusal('News are paused. Resume them at /admin/news.')
    const { obstacle } = deps.writability
    if (obstacle === 'read_only') throw new Refusal('The board is read-only. End that at /admin/settings.')
    if (obstacle !== null) throw new Refusal('There is too little free disk space in DATA_DIR (MIN_FREE_MB).')
    const report = await deps.news.run()
    if (report === null) throw new Refusal('Another process is at it. It does all that is due.')
    // A running server shows the new threads at once, also without Redis.
    await raiseRevision(database.db, 'answers')
    const pause = await deps.news.summariser?.pause()
    const idle = await readIdleSources(database.db, { now: Date.now(), paused: pause?.cause ?? null })
    return [describeRun(report), ...describeIdle(idle)].join('\n')
  } finally {
    await app.close()
    await bus?.close()
  }
}

async function onDatabase(
  config: Config,
  options: Options,
  work: (database: Database) => Promise<string>,
): Promise<string> {
  const database = await openBoard(config, options, config.databasePool)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

async function findCategory(db: Db, ref: string): Promise<string> {
  const category = await selectCategory(db, ref)
  if (category !== undefined) return category.id
  const names = (await selectCategories(db)).map(({ name }) => name)
  throw new Refusal(`There is no category ${ref}. There are: ${names.join(', ')}.`)
}

/** What `add` and `import` give a feed by options, or by default. */
const SHARED = newsSourceInput.pick({ permission: true, intervalMinutes: true, language: true, active: true })

/** Messages about each invalid option or argument. */
const WRONG: Readonly<Record<string, string>> = {
  permission: '--permission takes allowed, headline or blocked.',
  intervalMinutes: `--interval takes a whole number from ${NEWS_INTERVAL_MINUTES.min} to ${NEWS_INTERVAL_MINUTES.max}.`,
  language: '--language takes a code such as ja or en.',
  url: 'The address of a feed begins with http:// or https://, and holds no password.',
  name: `A name has 1 to ${NEWS_NAME.max} characters, none of them invisible.`,
}

const explainIssue = ({ issues: [issue], message }: z.ZodError): string => WRONG[String(issue?.path[0])] ?? message

function readShared({ permission, interval, language }: Options): z.infer<typeof SHARED> {
  const intervalMinutes = interval === undefined ? undefined : Number(interval)
  const parsed = SHARED.safeParse({ permission, intervalMinutes, language })
  if (!parsed.success) throw new UsageError(explainIssue(parsed.error))
  return parsed.data
}

function readInput(input: NewsSourceInput): NewsSourceInput {
  const parsed = newsSourceInput.safeParse(input)
  if (!parsed.success) throw new Refusal(explainIssue(parsed.error))
  return parsed.data
}

/** The bytes of a file, or of standard input for "-". */
const readBytes = async (file: string): Promise<Buffer> => (file === '-' ? buffer(process.stdin) : readFileSync(file))

/** The command, ready to run; null for the help. */
function readCommand(): (() => Promise<string>) | null {
  const {
    values: { help, ...options },
    positionals,
  } = readArguments({
    allowPositionals: true,
    options: {
      ...BOARD_OPTIONS,
      help: { type: 'boolean', short: 'h' },
      permission: { type: 'string' },
      interval: { type: 'string' },
      language: { type: 'string' },
      url: { type: 'string' },
    },
  })
  const [name, ...args] = positionals
  if (help === true || name === 'help') return null
  if (name === undefined) throw new UsageError('A command is missing.')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command "${name}".`)
  if (args.length !== command.takes.length) {
    throw new UsageError(`The command takes: ${[name, ...command.takes].join(' ')}.`)
  }
  const stray = (Object.keys(options) as (keyof Options)[]).find(
    (option) => !Object.hasOwn(BOARD_OPTIONS, option) && command.options?.includes(option) !== true,
  )
  if (stray !== undefined) throw new UsageError(`The command ${name} does not take --${stray}.`)
  return () => command.run(configFor(options), args, options)
}

/** Refusals of the board, in the words of this program. */
const REFUSALS: Readonly<Record<string, string>> = {
  [messages.news_source_taken]: 'This feed is there already.',
  [messages.news_sources_full]: `There are ${NEWS_SOURCES_MAX} sources already, which is as many as there can be.`,
  [messages.news_opml_bad]: 'This is no OPML file.',
  [messages.news_url_bad]: 'The address of the feed is too long.',
  [messages.category_not_found]: 'The category was deleted at this moment.',
}

/** The one line for an error that the user can correct; null for any other error. */
function explain(error: unknown): string | null {
  if (error instanceof NewsRefusal) return explainProblem(error)
  if (error instanceof ApiError) return REFUSALS[error.message] ?? error.message
  const { code, path } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' && path !== undefined) return `There is no file ${path}.`
  return null
}

const explainProblem = ({ problem, message }: NewsRefusal): string =>
  message === problem ? PROBLEMS[problem] : `${PROBLEMS[problem]} (${plain(message)})`

await runProgram({ help: HELP, read: readCommand, run: (command) => command(), refusals: [Refusal], explain })
