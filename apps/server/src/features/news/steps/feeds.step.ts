/** Looks at the feeds that are due, and remembers the articles that are new in them. */
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import type { FeedItem } from '@shinobi/newsroom/articles/feeds'
import { hashUrl } from '@shinobi/newsroom/articles/urls'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import {
  recordFailedLook,
  recordLook,
  recordMissingCategory,
  selectDueSources,
  selectKnownHashes,
  type DueSource,
  type FoundArticle,
} from './feeds.queries.ts'
import { byHost, toRefusal, toStorable, type Run, type StepDeps } from './run.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** What a feed brings at the first look: nobody wants a new source to fill the board with what was news last week. */
const FIRST_BACK_MS = DAY_MS
const FIRST_UNDATED = 5
/** Later looks go back further, as a source may have been away. */
const BACK_MS = 2 * DAY_MS
/** The others are taken at the next looks. */
const NEW_AT_ONCE = 20
const SOURCES_AT_ONCE = 100
/** Looks in a row that fail before a source is left alone until somebody has looked at it. */
const FAILURES_MAX = 20
/** A source that fails is asked less and less often, but never less than this. */
const FAILED_WAIT_MS = DAY_MS

export async function lookAtFeeds(deps: StepDeps, run: Run): Promise<void> {
  while (!run.isOver()) {
    const sources = await selectDueSources(deps.db, new Date(deps.now()), SOURCES_AT_ONCE)
    if (sources.length === 0) return
    await byHost(deps, sources, (source) => lookAtFeed(deps, run, source))
  }
}

async function lookAtFeed(deps: StepDeps, run: Run, source: DueSource): Promise<void> {
  if (run.isOver()) return
  const { db, now, log } = deps
  const { intervalMinutes } = source
  if (source.categoryId === null) {
    await recordMissingCategory(db, source, new Date(now() + intervalMinutes * MINUTE_MS))
    return
  }
  run.counts.feeds += 1
  try {
    await takeNew(deps, run, source)
  } catch (error) {
    const refusal = toRefusal(deps, error, new NewsRefusal('not_a_feed'))
    log.info({ source: source.name, problem: refusal.problem, reason: refusal.message }, 'news: a feed cannot be read')
    const failures = source.failures + 1
    await recordFailedLook(db, source, {
      problem: refusal.problem,
      failures,
      isGivenUp: failures >= FAILURES_MAX,
      nextFetchAt: new Date(now() + waitAfter(refusal, failures, intervalMinutes)),
    })
  }
}

/** Reads a feed, and remembers what is new in it. @throws NewsRefusal */
async function takeNew(deps: StepDeps, run: Run, source: DueSource): Promise<void> {
  const { db, now } = deps
  const fetched = await run.wait(run.publishers.feed(source.url, source))
  const items = fetched.status === 304 ? [] : await run.wait(run.extractor.readFeed(fetched.text, fetched.url, now()))
  const { articles, isAll } = await choose(deps, source, items)
  const at = now()
  run.counts.found += await recordLook(db, source, {
    at: new Date(at),
    nextFetchAt: new Date(at + source.intervalMinutes * MINUTE_MS),
    // A feed of which something is left for the next look shall come whole again.
    etag: isAll ? fetched.etag : null,
    lastModified: isAll ? fetched.lastModified : null,
    url: movedTo(source.url, fetched.permanentUrl),
    articles,
  })
}

/**
 * Where a feed is from now on. One that moves within its publisher's hosts is followed for good; one that points elsewhere is asked at home each time,
 * or whoever gets hold of a redirect for a day would speak under the publisher's name ever after.
 */
function movedTo(url: string, permanentUrl: string | null): string {
  if (permanentUrl === null) return url
  const [from, to] = [url, permanentUrl].map((one) => new URL(one).hostname.replace(/^www\./u, '')) as [string, string]
  return from === to || from.endsWith(`.${to}`) || to.endsWith(`.${from}`) ? permanentUrl : url
}

/** How long a source is left alone that has failed so many times in a row: twice as long each time, and as long as it asks for. */
function waitAfter({ retryAfterMs }: NewsRefusal, failures: number, intervalMinutes: number): number {
  const interval = intervalMinutes * MINUTE_MS
  const doubled = Math.min(interval * 2 ** failures, Math.max(interval, FAILED_WAIT_MS))
  return Math.max(doubled, Math.min(retryAfterMs ?? 0, 7 * DAY_MS))
}

/**
 * Which articles of a feed are taken. Those that only the first look leaves out are remembered as too old, or the next one would take
 * them for new.
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
  const known = await selectKnownHashes(db, [...byHash.keys()])
  const fresh = [...byHash].filter(([urlHash]) => !known.has(urlHash))
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
  // Feeds tell the newest first; on the board the newest comes last, and so stands first.
  const ordered = [...taken.toReversed(), ...articles.filter(({ isLate }) => isLate)]
  return { articles: ordered, isAll: taken.length === wanted.length }
}

const isBefore = (time: Date | null, than: number): boolean => time !== null && time.getTime() < than
