/** Reads the feeds that are due, and stores their new articles. */
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import type { FeedItem } from '@shinobi/newsroom/articles/feeds'
import { hashPlainUrl, hashUrl } from '@shinobi/newsroom/articles/urls'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import { recordLook, recordNoLook, selectDueSources, selectKnownHashes } from './feeds.queries.ts'
import type { DueSource, FoundArticle } from './feeds.queries.ts'
import { byHost, toRefusal, toStorable, type Run, type StepDeps } from './run.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** Age limit at the first read, so that a new source does not fill the board with old news. */
const FIRST_BACK_MS = DAY_MS
const FIRST_UNDATED = 5
/** Later reads go back further, because a source may have been unavailable. */
const BACK_MS = 2 * DAY_MS
/** New articles per read; the others are taken at the next reads. */
const NEW_AT_ONCE = 20
const SOURCES_AT_ONCE = 100
/**
 * Consecutive failures after which a source is no longer read, until an administrator intervenes.
 */
const FAILURES_MAX = 20
/** Maximum interval of a failing source. */
const FAILED_WAIT_MS = DAY_MS

export const lookAtFeeds = (deps: StepDeps, run: Run): Promise<void> =>
  byHost(
    deps,
    run,
    (at) => selectDueSources(deps.db, at, SOURCES_AT_ONCE),
    (source) => lookAtFeed(deps, run, source),
  )

async function lookAtFeed(deps: StepDeps, run: Run, source: DueSource): Promise<void> {
  const { db, now, log } = deps
  const { intervalMinutes } = source
  if (source.categoryId === null) {
    // Its category was deleted.
    const nextFetchAt = new Date(now() + intervalMinutes * MINUTE_MS)
    await recordNoLook(db, source, { problem: 'category_missing', nextFetchAt })
    return
  }
  run.counts.feeds += 1
  try {
    await takeNew(deps, run, source)
  } catch (error) {
    const refusal = toRefusal(deps, error, new NewsRefusal('not_a_feed'))
    const { problem, message: reason } = refusal
    log.info({ source: source.name, problem, reason }, 'news: a feed cannot be read')
    const failures = source.failures + 1
    const nextFetchAt = new Date(now() + waitAfter(refusal, failures, intervalMinutes))
    await recordNoLook(db, source, {
      ...{ problem, failures, nextFetchAt },
      ...(failures >= FAILURES_MAX ? { active: false } : {}),
    })
  }
}

/** Reads a feed, and stores its new articles. @throws NewsRefusal */
async function takeNew(deps: StepDeps, run: Run, source: DueSource): Promise<void> {
  const { db, now } = deps
  const fetched = await run.wait(run.publishers.feed(source.url, source))
  const items = fetched.status === 304 ? [] : await run.wait(run.extractor.readFeed(fetched.text, fetched.url, now()))
  const { articles, isAll } = await choose(deps, source, items)
  const at = now()
  run.counts.found += await recordLook(db, source, {
    at: new Date(at),
    nextFetchAt: new Date(at + source.intervalMinutes * MINUTE_MS),
    // Without ETag the next read gets the whole feed, and the articles that were left over.
    etag: isAll ? fetched.etag : null,
    lastModified: isAll ? fetched.lastModified : null,
    url: movedTo(source.url, fetched.permanentUrl),
    articles,
  })
}

/**
 * The future address of a feed. A permanent redirect within the publisher's hosts is adopted; one
 * to another host is followed anew each time, because a redirect that was hijacked for a day must
 * not publish under the publisher's name forever.
 */
function movedTo(url: string, permanentUrl: string | null): string {
  if (permanentUrl === null) return url
  const [from, to] = [url, permanentUrl].map((one) => new URL(one).hostname.replace(/^www\./u, '')) as [string, string]
  return from === to || from.endsWith(`.${to}`) || to.endsWith(`.${from}`) ? permanentUrl : url
}

/**
 * The interval after consecutive failures: doubled each time, and at least as long as the server's
 * Retry-After.
 */
function waitAfter({ retryAfterMs }: NewsRefusal, failures: number, intervalMinutes: number): number {
  const interval = intervalMinutes * MINUTE_MS
  const doubled = Math.min(interval * 2 ** failures, Math.max(interval, FAILED_WAIT_MS))
  return Math.max(doubled, Math.min(retryAfterMs ?? 0, 7 * DAY_MS))
}

/**
 * Chooses the articles to take. Those that only the first read leaves out are stored as late;
 * otherwise the next read would take them as new.
 */
async function choose(
  { db, now }: StepDeps,
  { fetchedAt }: DueSource,
  items: readonly FeedItem[],
): Promise<{ articles: FoundArticle[]; isAll: boolean }> {
  const since = now() - BACK_MS
  const byHash = new Map(
    items
      .filter(({ url, publishedAt }) => url.length <= NEWS_URL_CHARACTERS && !isBefore(publishedAt, since))
      .map((item) => [hashUrl(item.url), item]),
  )
  const keysOf = (urlHash: string, { url }: FeedItem): string[] => [urlHash, hashPlainUrl(url)]
  const known = await selectKnownHashes(
    db,
    [...byHash].flatMap(([urlHash, item]) => keysOf(urlHash, item)),
  )
  const fresh = [...byHash].filter(([urlHash, item]) => !keysOf(urlHash, item).some((key) => known.has(key)))
  const isFirst = fetchedAt === null
  let undated = 0
  const articles = fresh.map(([urlHash, { url, title, publishedAt }]): FoundArticle => {
    if (publishedAt === null) undated += 1
    const isLate =
      isFirst && (isBefore(publishedAt, now() - FIRST_BACK_MS) || (publishedAt === null && undated > FIRST_UNDATED))
    return { urlHash, url: toStorable(url), title: toStorable(title), publishedAt, isLate }
  })
  const wanted = articles.filter(({ isLate }) => !isLate)
  const taken = wanted.slice(0, NEW_AT_ONCE)
  // Feeds list the newest article first. It is published last, so that its thread is at the top.
  const ordered = [...taken.toReversed(), ...articles.filter(({ isLate }) => isLate)]
  return { articles: ordered, isAll: taken.length === wanted.length }
}

const isBefore = (time: Date | null, than: number): boolean => time !== null && time.getTime() < than
