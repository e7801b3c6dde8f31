/** The feeds of the news. Every change is logged, and applies from the next step of a run on. */
import type { Transaction } from 'kysely'
import { NEWS_SOURCES_MAX, NEWS_UNUSABLE_MAX, NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { NEWS_NAME } from '@shinobi/contract/staff-limits'
import { newsSourceInput, type NewsSourceInput } from '@shinobi/contract/news'
import { cleanLine, findProblem, LANGUAGE_TAG, truncateGraphemes } from '@shinobi/contract/text'
import type { OpmlFeed } from '@shinobi/newsroom/articles/opml'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Core } from '../../core.ts'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { holdCategory } from '../categories/categories.queries.ts'
import { changeSettings } from '../settings/settings.service.ts'
import type { NewsDeps } from './news.deps.ts'
import {
  deleteSource,
  dropChecks,
  dropPendingArticles,
  forgetFailures,
  forgetLooks,
  insertSources,
  isRead,
  lockSource,
  lockSources,
  makeDue,
  refusePendingStories,
  selectSource,
  selectSourceUrls,
  switchOff,
  updateSource,
  type SourceRow,
} from './sources.queries.ts'
import { withdrawStories } from './stories.service.ts'

/** The administrator who makes a change; null for the server's command line. */
type Actor = Pick<Member, 'id' | 'name'> | null
type SourceDeps = Pick<Core, 'db' | 'now'> & { readonly news: Pick<NewsDeps['news'], 'wake'> }

/** The fields of a source that the log shows. */
const toLogged = ({ url, name, categoryId, language, permission, intervalMinutes, active }: Loggable) => ({
  ...{ url, name, categoryId, language, permission, intervalMinutes, active },
})
type Loggable = Pick<
  SourceRow,
  'url' | 'name' | 'categoryId' | 'language' | 'permission' | 'intervalMinutes' | 'active'
>

/**
 * Normalises the address of a feed: the spelling of the host and the fragment do not distinguish
 * feeds. Returns null for an address that is too long once it is escaped.
 */
function toFeedUrl(text: string): URL | null {
  const url = new URL(text)
  url.hash = ''
  return url.href.length > NEWS_URL_CHARACTERS ? null : url
}

/** @throws ApiError bad_source */
function demandFeedUrl(text: string): string {
  const url = toFeedUrl(text)
  if (url === null) throw refuse('bad_source', 'news_url_bad')
  return url.href
}

/** @throws ApiError bad_category when it does not exist */
async function demandCategory(tx: Transaction<Tables>, categoryId: string): Promise<void> {
  if (!(await holdCategory(tx, categoryId))) throw refuse('bad_category', 'category_not_found')
}

/** Reads the current source. @throws ApiError not_found */
async function demandSource(db: Core['db'], id: string): Promise<SourceRow> {
  const row = await selectSource(db, id)
  if (row === undefined) throw refuse('not_found', 'news_source_not_found')
  return row
}

/**
 * Drops all pending work of a blocked or deleted source, and the checks of its articles; its
 * threads stay. Pending work of a source that is only switched off waits until that is switched on
 * again.
 */
async function dropPending(tx: Transaction<Tables>, sourceId: string): Promise<void> {
  await dropPendingArticles(tx, sourceId)
  await refusePendingStories(tx, sourceId)
  await dropChecks(tx, sourceId)
}

const takenAsConflict = (error: unknown): unknown =>
  isUniqueViolation(error) ? refuse('taken', 'news_source_taken') : error

/**
 * Adds a source; its feed is due at once.
 * @throws ApiError bad_source, bad_category, taken (also when there are too many)
 */
export async function createSource(deps: SourceDeps, actor: Actor, input: NewsSourceInput): Promise<SourceRow> {
  const at = new Date(deps.now())
  const source = { ...input, url: demandFeedUrl(input.url), id: uuidv7(at.getTime()), createdAt: at }
  await inTransaction(deps.db, async (tx) => {
    await demandCategory(tx, source.categoryId)
    await lockSources(tx)
    const known = await selectSourceUrls(tx)
    if (known.has(source.url)) throw refuse('taken', 'news_source_taken')
    if (known.size >= NEWS_SOURCES_MAX) throw refuse('taken', 'news_sources_full')
    await insertSources(tx, [source])
    const details = { sourceId: source.id, after: toLogged(source) }
    const { name: subject, categoryId } = source
    await insertAudit(tx, { actor, at, action: 'news_source_create', categoryId, subject, details })
  })
  deps.news.wake()
  return demandSource(deps.db, source.id)
}

/**
 * Changes a source. A change that may have fixed its failures resets them, and the feed is due at
 * once.
 * @throws ApiError not_found, bad_source, bad_category, taken
 */
export async function changeSource(
  deps: SourceDeps,
  actor: Actor,
  id: string,
  input: NewsSourceInput,
): Promise<SourceRow> {
  const at = new Date(deps.now())
  const settings = { ...input, url: demandFeedUrl(input.url) }
  try {
    await inTransaction(deps.db, async (tx) => {
      await demandCategory(tx, settings.categoryId)
      const before = await lockSource(tx, id)
      if (before === undefined) throw refuse('not_found', 'news_source_not_found')
      const isElsewhere = before.url !== settings.url
      const isNew = isElsewhere || before.categoryId !== settings.categoryId || (isRead(settings) && !isRead(before))
      const nextFetchAt = isNew ? at : soonerOf(before.nextFetchAt, addMinutes(at, settings.intervalMinutes))
      await updateSource(tx, id, { ...settings, nextFetchAt })
      if (isElsewhere) await forgetLooks(tx, id)
      if (isNew) await forgetFailures(tx, id)
      if (settings.permission === 'blocked') await dropPending(tx, id)
      if (settings.permission === 'headline') await dropChecks(tx, id)
      const details = { sourceId: id, before: toLogged(before), after: toLogged(settings) }
      const { name: subject, categoryId } = settings
      await insertAudit(tx, { actor, at, action: 'news_source_change', categoryId, subject, details })
    })
  } catch (error) {
    throw takenAsConflict(error)
  }
  deps.news.wake()
  return demandSource(deps.db, id)
}

const soonerOf = (one: Date, other: Date): Date => (one < other ? one : other)
const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000)

/** Deletes a source; its threads stay. @throws ApiError not_found */
export async function removeSource(deps: Pick<Core, 'db' | 'now'>, actor: Actor, id: string): Promise<void> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const before = await lockSource(tx, id)
    if (before === undefined) throw refuse('not_found', 'news_source_not_found')
    await dropPending(tx, id)
    await deleteSource(tx, id)
    const details = { sourceId: id, before: toLogged(before) }
    const { name: subject, categoryId } = before
    await insertAudit(tx, { actor, at, action: 'news_source_delete', categoryId, subject, details })
  })
}

/** The reason for the kill switch, and whether threads are withdrawn as well. */
export interface Stop {
  readonly reason: string
  readonly withdraw: boolean
}

/**
 * Kill switch of one source: it is no longer read, and nothing of it is published. On a source that
 * is already off it can still withdraw the threads.
 * @returns the number of withdrawn threads
 * @throws ApiError not_found
 */
export async function stopSource(
  deps: NewsDeps,
  actor: Member,
  id: string,
  { reason, withdraw }: Stop,
): Promise<number> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const before = await lockSource(tx, id)
    if (before === undefined) throw refuse('not_found', 'news_source_not_found')
    await switchOff(tx, id)
    await dropPending(tx, id)
    const details = { sourceId: id, before: toLogged(before), after: toLogged({ ...before, active: false }), withdraw }
    const { name: subject, categoryId } = before
    await insertAudit(tx, { actor, at, action: 'news_source_stop', categoryId, subject, reason, details })
  })
  // After the commit, because from then on no new thread of this source can be opened.
  return withdraw ? withdrawStories(deps, actor, { sourceId: id }, reason) : 0
}

/** Makes a feed due now. @throws ApiError not_found */
export async function readSourceSoon(deps: SourceDeps, id: string): Promise<void> {
  if (!(await makeDue(deps.db, id, new Date(deps.now())))) throw refuse('not_found', 'news_source_not_found')
  deps.news.wake()
}

/** Kill switch of all news. @returns the number of withdrawn threads */
export async function stopAll(deps: NewsDeps, actor: Member, { reason, withdraw }: Stop): Promise<number> {
  await changeSettings(deps, actor, { newsActive: false }, { action: 'news_stop', reason })
  await deps.revisions.settle()
  return withdraw ? withdrawStories(deps, actor, { sourceId: null }, reason) : 0
}

/** Resumes the news. */
export async function resumeAll(deps: NewsDeps, actor: Member): Promise<void> {
  await changeSettings(deps, actor, { newsActive: true }, { action: 'news_resume' })
  await deps.revisions.settle()
  deps.news.wake()
}

/** The result of the import of an OPML file. */
export interface ImportedSources {
  readonly added: number
  /** Existing feeds, and repetitions in the file. */
  readonly known: number
  /** Addresses that are unusable, as typed; truncated if there are many. */
  readonly unusable: readonly string[]
  readonly unusableCount: number
}

/** Settings of all feeds of a file; `language` only for those that name none. */
export type ImportSettings = Pick<
  NewsSourceInput,
  'categoryId' | 'language' | 'permission' | 'intervalMinutes' | 'active'
> & {
  readonly opml: string
}

/** Maximum characters of an unusable address in the answer. */
const UNUSABLE_LENGTH = 200

/**
 * Adds the feeds of an OPML file. Existing ones stay unchanged.
 * @throws ApiError bad_source for a file that is not OPML; bad_category; taken when there would be
 * too many
 */
export async function importSources(
  deps: SourceDeps,
  actor: Actor,
  { opml, ...shared }: ImportSettings,
): Promise<ImportedSources> {
  const at = new Date(deps.now())
  const { usable, unusable } = sortFeeds(await readFeeds(opml), shared.language)
  const byUrl = new Map(usable.toReversed().map((feed) => [feed.url, feed]))
  const added = await inTransaction(deps.db, async (tx) => {
    await demandCategory(tx, shared.categoryId)
    await lockSources(tx)
    const known = await selectSourceUrls(tx)
    const fresh = [...byUrl.values()].filter(({ url }) => !known.has(url)).toReversed()
    if (known.size + fresh.length > NEWS_SOURCES_MAX) throw refuse('taken', 'news_sources_full')
    if (fresh.length === 0) return 0
    await insertSources(
      tx,
      fresh.map((feed) => ({ ...shared, ...feed, id: uuidv7(at.getTime()), createdAt: at })),
    )
    const subject = `${fresh.length}件`
    const { categoryId } = shared
    const details = { after: { ...shared, feeds: fresh } }
    await insertAudit(tx, { actor, at, action: 'news_sources_import', categoryId, subject, details })
    return fresh.length
  })
  deps.news.wake()
  const told = unusable.slice(0, NEWS_UNUSABLE_MAX)
  return { added, known: usable.length - added, unusable: told, unusableCount: unusable.length }
}

async function readFeeds(opml: string): Promise<OpmlFeed[]> {
  const { readOpml } = await import('@shinobi/newsroom/articles/opml')
  try {
    return readOpml(opml)
  } catch (error) {
    throw error instanceof NewsRefusal ? refuse('bad_source', 'news_opml_bad') : error
  }
}

type UsableFeed = Pick<NewsSourceInput, 'url' | 'name' | 'language'>

/** @param otherwise the language of feeds that name none */
function sortFeeds(feeds: readonly OpmlFeed[], otherwise: string): { usable: UsableFeed[]; unusable: string[] } {
  const usable: UsableFeed[] = []
  const unusable: string[] = []
  for (const feed of feeds) {
    const parsed = newsSourceInput.shape.url.safeParse(feed.url)
    const url = parsed.success ? toFeedUrl(parsed.data) : null
    if (url === null) unusable.push(feed.url.slice(0, UNUSABLE_LENGTH).toWellFormed())
    else usable.push({ url: url.href, name: toSourceName(feed.name, url), language: toLanguage(feed) ?? otherwise })
  }
  return { usable, unusable }
}

const toLanguage = ({ language }: OpmlFeed): string | null =>
  language !== null && LANGUAGE_TAG.test(language) ? language : null

/** The feed's own title if it can be shown as 出典, else its host. */
function toSourceName(text: string, url: URL): string {
  const name = cleanLine(text)
  for (const one of [name, truncateGraphemes(name, NEWS_NAME.max - 1)]) {
    if (findProblem(one, NEWS_NAME, 'line') === null) return one
  }
  return truncateGraphemes(url.host, NEWS_NAME.max - 1)
}
