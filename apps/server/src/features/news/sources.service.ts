/** The feeds of the news. Every change is logged, and applies from the next step of a run on. */
import { NEWS_SOURCES_MAX, NEWS_UNUSABLE_MAX, NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { NEWS_NAME } from '@shinobi/contract/staff-limits'
import { newsSourceInput } from '@shinobi/contract/news'
import type {
  ImportedNewsSources,
  NewsSourceChange,
  NewsSourceInput,
  NewsSourcesImport,
  NewsStop,
} from '@shinobi/contract/news'
import { cleanLine, findProblem, LANGUAGE_TAG, truncateGraphemes } from '@shinobi/contract/text'
import type { OpmlFeed } from '@shinobi/newsroom/articles/opml'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { holdCategory } from '../categories/categories.queries.ts'
import { changeSettings } from '../settings/settings.service.ts'
import type { NewsDeps } from './news.deps.ts'
import {
  deleteSource,
  dropChecks,
  dropPending,
  insertSources,
  isRead,
  lockSource,
  lockSources,
  selectSource,
  selectSourceUrls,
  updateSource,
  type SourceRow,
} from './sources.queries.ts'
import { withdrawStories } from './stories.service.ts'

/** The administrator who makes a change; null for the server's command line. */
type Actor = Pick<Member, 'id' | 'name'> | null
type SourceDeps = Pick<Core, 'db' | 'now'> & { readonly news: Pick<NewsDeps['news'], 'wake'> }

/** The fields of a source that the log shows. */
const toLogged = ({ url, name, categoryId, language, permission, intervalMinutes, active }: Logged) => ({
  ...{ url, name, categoryId, language, permission, intervalMinutes, active },
})
type Logged = Omit<NewsSourceInput, 'categoryId'> & Pick<SourceRow, 'categoryId'>

async function log(
  tx: Db,
  entry: Pick<NewAuditEntry, 'actor' | 'at' | 'action' | 'reason'>,
  sourceId: string,
  { before, after, ...others }: { readonly before?: Logged; readonly after?: Logged; readonly withdraw?: boolean },
): Promise<void> {
  const { name: subject, categoryId } = (after ?? before)!
  const details = { sourceId, before: before && toLogged(before), after: after && toLogged(after), ...others }
  await insertAudit(tx, { ...entry, categoryId, subject, details })
}

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
async function demandCategory(tx: Db, categoryId: string): Promise<void> {
  if (!(await holdCategory(tx, categoryId))) throw refuse('bad_category', 'category_not_found')
}

/** @throws ApiError not_found */
function demand<T>(row: T | undefined): T {
  if (row === undefined) throw refuse('not_found', 'news_source_not_found')
  return row
}

/**
 * Adds those of the feeds that are not there yet; they are due at once.
 * @throws ApiError bad_category; taken when there would be too many
 */
async function addNew(
  tx: Db,
  categoryId: string,
  feeds: readonly NewsSourceInput[],
  at: Date,
): Promise<(NewsSourceInput & { readonly id: string })[]> {
  await demandCategory(tx, categoryId)
  await lockSources(tx)
  const known = await selectSourceUrls(tx)
  const fresh = feeds
    .filter(({ url }) => !known.has(url))
    .map((feed) => ({ ...feed, id: uuidv7(at.getTime()), createdAt: at, nextFetchAt: at }))
  if (known.size + fresh.length > NEWS_SOURCES_MAX) throw refuse('taken', 'news_sources_full')
  if (fresh.length > 0) await insertSources(tx, fresh)
  return fresh
}

/**
 * Adds a source; its feed is due at once.
 * @throws ApiError bad_source, bad_category, taken (also when there are too many)
 */
export async function createSource(deps: SourceDeps, actor: Actor, input: NewsSourceInput): Promise<SourceRow> {
  const at = new Date(deps.now())
  const after = { ...input, url: demandFeedUrl(input.url) }
  const id = await inTransaction(deps.db, async (tx) => {
    const [source] = await addNew(tx, after.categoryId, [after], at)
    if (source === undefined) throw refuse('taken', 'news_source_taken')
    await log(tx, { actor, at, action: 'news_source_create' }, source.id, { after })
    return source.id
  })
  deps.news.wake()
  return demand(await selectSource(deps.db, id))
}

/**
 * Changes fields of a source. A change that may have fixed its failures resets them, and the feed
 * is due at once.
 * @throws ApiError not_found, bad_source, bad_category, taken
 */
export async function changeSource(
  deps: SourceDeps,
  actor: Actor,
  id: string,
  change: NewsSourceChange,
): Promise<SourceRow> {
  const at = new Date(deps.now())
  const url = change.url === undefined ? undefined : demandFeedUrl(change.url)
  await inTransaction(deps.db, async (tx) => {
    if (change.categoryId !== undefined) await demandCategory(tx, change.categoryId)
    const before = demand(await lockSource(tx, id))
    const after = {
      url: url ?? before.url,
      name: change.name ?? before.name,
      categoryId: change.categoryId ?? before.categoryId,
      language: change.language ?? before.language,
      permission: change.permission ?? before.permission,
      intervalMinutes: change.intervalMinutes ?? before.intervalMinutes,
      active: change.active ?? before.active,
    }
    const isElsewhere = before.url !== after.url
    const isNew = isElsewhere || before.categoryId !== after.categoryId || (isRead(after) && !isRead(before))
    await updateSource(tx, id, {
      ...after,
      nextFetchAt: isNew ? at : soonerOf(before.nextFetchAt, addMinutes(at, after.intervalMinutes)),
      // What was read from the previous address says nothing about the new one.
      ...(isElsewhere ? { etag: null, lastModified: null, fetchedAt: null } : {}),
      ...(isNew ? { problem: null, failures: 0 } : {}),
    })
    if (after.permission === 'blocked') await dropPending(tx, id)
    if (after.permission === 'headline') await dropChecks(tx, id)
    await log(tx, { actor, at, action: 'news_source_change' }, id, { before, after })
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? refuse('taken', 'news_source_taken') : error
  })
  deps.news.wake()
  return demand(await selectSource(deps.db, id))
}

const soonerOf = (one: Date, other: Date): Date => (one < other ? one : other)
const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * 60_000)

/** Deletes a source; its threads stay. @throws ApiError not_found */
export async function removeSource(deps: Pick<Core, 'db' | 'now'>, actor: Actor, id: string): Promise<void> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const before = demand(await lockSource(tx, id))
    await dropPending(tx, id)
    await deleteSource(tx, id)
    await log(tx, { actor, at, action: 'news_source_delete' }, id, { before })
  })
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
  { reason, withdraw }: NewsStop,
): Promise<number> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const before = demand(await lockSource(tx, id))
    await updateSource(tx, id, { active: false })
    await dropPending(tx, id)
    const after = { ...before, active: false }
    await log(tx, { actor, at, action: 'news_source_stop', reason }, id, { before, after, withdraw })
  })
  // After the commit, because from then on no new thread of this source can be opened.
  return withdraw ? withdrawStories(deps, actor, { sourceId: id }, reason) : 0
}

/** Makes a feed due now. @throws ApiError not_found */
export async function readSourceSoon(deps: SourceDeps, id: string): Promise<void> {
  const isThere = await updateSource(deps.db, id, { nextFetchAt: new Date(deps.now()) })
  if (!isThere) throw refuse('not_found', 'news_source_not_found')
  deps.news.wake()
}

/** Kill switch of all news. @returns the number of withdrawn threads */
export async function stopAll(deps: NewsDeps, actor: Member, { reason, withdraw }: NewsStop): Promise<number> {
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
  { opml, ...shared }: NewsSourcesImport,
): Promise<ImportedNewsSources> {
  const at = new Date(deps.now())
  const { usable, unusable } = sortFeeds(await readFeeds(opml), shared)
  // The first of several with one address.
  const feeds = [...new Map(usable.toReversed().map((feed) => [feed.url, feed])).values()].toReversed()
  const added = await inTransaction(deps.db, async (tx) => {
    const fresh = await addNew(tx, shared.categoryId, feeds, at)
    if (fresh.length === 0) return 0
    const told = fresh.map(({ url, name, language }) => ({ url, name, language }))
    await insertAudit(tx, {
      ...{ actor, at, action: 'news_sources_import', categoryId: shared.categoryId, subject: `${fresh.length}件` },
      details: { after: { ...shared, feeds: told } },
    })
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

function sortFeeds(
  feeds: readonly OpmlFeed[],
  shared: Omit<NewsSourcesImport, 'opml'>,
): { usable: NewsSourceInput[]; unusable: string[] } {
  const usable: NewsSourceInput[] = []
  const unusable: string[] = []
  for (const feed of feeds) {
    const parsed = newsSourceInput.shape.url.safeParse(feed.url)
    const url = parsed.success ? toFeedUrl(parsed.data) : null
    const language = feed.language !== null && LANGUAGE_TAG.test(feed.language) ? feed.language : shared.language
    if (url === null) unusable.push(feed.url.slice(0, UNUSABLE_LENGTH).toWellFormed())
    else usable.push({ ...shared, url: url.href, name: toSourceName(feed.name, url), language })
  }
  return { usable, unusable }
}

/** The feed's own title if it can be shown as 出典, else its host. */
function toSourceName(text: string, url: URL): string {
  const name = cleanLine(text)
  for (const one of [name, truncateGraphemes(name, NEWS_NAME.max - 1)]) {
    if (findProblem(one, NEWS_NAME, 'line') === null) return one
  }
  return truncateGraphemes(url.host, NEWS_NAME.max - 1)
}
