/**
 * The news records of a planned board, as the news worker would have left them. They are fictional:
 * the publishers do not exist, no language model was asked, and the named model does not exist
 * either.
 */
import { sql } from 'kysely'
import { hashUrl } from '@shinobi/newsroom/articles/urls'
import type { ArticleDocument, StorySummary } from '@shinobi/newsroom/documents'
import type { Db } from '../db/client.ts'
import { idsOf } from '../db/ids.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { PUBLISHERS, type Publisher, type WrittenArticle, type WrittenNews } from './japanese-news.ts'
import type { Random } from './random.ts'

const MODEL = 'sample-model'

const MINUTE_MS = 60_000
/** Time from the publication of an article to its thread. */
const EARLIER_MS = 40 * MINUTE_MS
/** Time until articles change and summaries are corrected. */
const LATER_MS = 360 * MINUTE_MS

interface SeededArticle {
  readonly id: string
  readonly urlHash: string
  readonly feed: string
  readonly storyId: string
  readonly url: string
  readonly title: string
  readonly document: ArticleDocument
  readonly publishedAt: string
}

/** A row of newsStories with its articles, times in ISO 8601. */
export interface SeededStory {
  /** The id of its first article. */
  readonly id: string
  readonly categoryId: string
  readonly threadId: string
  readonly kind: WrittenNews['kind']
  readonly summary: StorySummary
  readonly model: string | null
  readonly madeAt: string
  readonly currency: 'current' | 'stale' | 'gone'
  readonly changedAt: string | null
  readonly corrections: readonly { readonly at: string; readonly note: string }[]
  readonly articles: readonly SeededArticle[]
}

interface StoryPlan {
  readonly threadId: string
  readonly categoryId: string
  readonly openedAt: number
  /** The board's present. */
  readonly now: number
  readonly newId: (milliseconds: number) => string
}

export function planStory(written: WrittenNews, plan: StoryPlan, random: Random): SeededStory {
  const { threadId, categoryId, openedAt, now } = plan
  const publishedAt = openedAt - EARLIER_MS
  const id = plan.newId(publishedAt)
  const articles = written.articles.map((article, index) =>
    planArticle(article, id, index === 0 ? id : plan.newId(publishedAt), publishedAt),
  )
  const later = new Date(Math.min(now, openedAt + LATER_MS)).toISOString()
  const currency = random.chance(0.88) ? 'current' : random.pick(['stale', 'gone'] as const)
  return {
    ...{ id, threadId, categoryId, kind: written.kind, articles, currency },
    summary: { title: written.title, sentences: written.sentences },
    model: written.kind === 'ai' ? MODEL : null,
    madeAt: new Date(openedAt).toISOString(),
    changedAt: currency === 'current' ? null : later,
    corrections:
      written.kind === 'ai' && random.chance(0.08)
        ? [{ at: later, note: '発言の引用を、元記事の表現に合わせて直しました。' }]
        : [],
  }
}

/** The feed of a publisher; no server answers there. */
const feedOf = ({ host }: Publisher): string => `https://${host}/feed.xml`

function planArticle(article: WrittenArticle, storyId: string, id: string, publishedAt: number): SeededArticle {
  const { publisher, title, text } = article
  const url = `https://${publisher.host}/articles/${id.slice(-12)}`
  const published = new Date(publishedAt).toISOString()
  const document: ArticleDocument = {
    ...{ url, canonicalUrl: url, title, site: publisher.site, publishedAt: published, language: 'ja', text },
    ...{ imageUrl: null, suspicious: [] },
  }
  return { id, urlHash: hashUrl(url), feed: feedOf(publisher), storyId, url, title, document, publishedAt: published }
}

/**
 * Inserts stories with their articles, and their sources, which are switched off because their
 * servers do not exist.
 */
export async function insertStories(db: Db, stories: readonly SeededStory[], now: number): Promise<void> {
  if (stories.length === 0) return
  const [{ categoryId }] = stories as readonly [SeededStory]
  await db
    .insertInto('newsSources')
    .values(
      PUBLISHERS.map((publisher) => ({
        ...{ id: uuidv7(now), url: feedOf(publisher), name: publisher.site, categoryId, language: 'ja' },
        ...{ permission: 'allowed', intervalMinutes: 60, active: false },
        ...{ nextFetchAt: new Date(now), createdAt: new Date(now) },
      })),
    )
    .onConflict((conflict) => conflict.column('url').doNothing())
    .execute()
  const rows = stories.map(({ articles: _articles, ...story }) => story)
  await sql`
    insert into "newsStories" (id, "categoryId", state, "threadId", kind, summary, model, "promptVersion", "madeAt", "publishedAt",
      currency, "changedAt", corrections, "begunAt", "createdAt")
    select id, "categoryId", 'published', "threadId", kind, summary, model, case when model is not null then 'sample' end, "madeAt",
      "madeAt", currency, "changedAt", corrections, "madeAt", "madeAt"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as story(
      id uuid, "categoryId" uuid, "threadId" uuid, kind text, summary jsonb, model text, "madeAt" timestamptz, currency text,
      "changedAt" timestamptz, corrections jsonb)`.execute(db)
  const articles = stories.flatMap((story) => story.articles)
  await sql`
    insert into "newsArticles" (id, "urlHash", "sourceId", "storyId", url, title, "publishedAt", state, document, "foundAt")
    select article.id, "urlHash", source.id, "storyId", article.url, title, "publishedAt", 'told', document, "publishedAt"
    from json_to_recordset(${JSON.stringify(articles)}::text::json) as article(
      id uuid, "urlHash" text, feed text, "storyId" uuid, url text, title text, document jsonb, "publishedAt" timestamptz)
    join "newsSources" as source on source.url = article.feed`.execute(db)
  const leads = stories.map(({ id }) => id)
  await sql`
    update "newsSources" as source set threads = source.threads + counted.threads
    from (select "sourceId", count(*)::integer as threads from "newsArticles" where id in ${idsOf(leads)} group by "sourceId") as counted
    where counted."sourceId" = source.id`.execute(db)
}
