/** News threads: where they come from, how they were made, and how administrators run them. */
import { z } from 'zod'
import { answers, created, done, forAdmins, id, line, reasonText, time, wholeNumber, type Call } from './common.ts'
import {
  NEWS_INTERVAL_MINUTES,
  NEWS_NAME,
  NEWS_OPML_BYTES,
  NEWS_PAGE,
  NEWS_SENTENCE,
  NEWS_SENTENCES_MAX,
  NEWS_URL_BYTES,
  TITLE,
} from './limits.ts'
import { messages } from './messages.ts'
import { summaryKind, threadParams } from './threads.ts'

/** An article that a summary rests on. */
export const newsSourceArticle = z.object({
  site: z.string(),
  title: z.string(),
  url: z.string().describe('http or https'),
  publishedAt: time.nullable(),
})
export type NewsSourceArticle = z.infer<typeof newsSourceArticle>

export const summarySentence = z.object({
  text: z.string(),
  quote: z.string().describe('the passage of the article that it rests on, word for word'),
})
export type SummarySentence = z.infer<typeof summarySentence>

/** Whether the article still says what its summary rests on. */
export const summaryCurrency = z.enum(['current', 'stale', 'gone'])
export type SummaryCurrency = z.infer<typeof summaryCurrency>

/** How a news thread was made, as its page shows it. */
export const threadSummary = z.object({
  kind: summaryKind,
  model: z.string().nullable().describe('of an AI summary'),
  madeAt: time,
  sentences: z.array(summarySentence).describe('in the order of the opening text; none for a headline'),
  sources: z.array(newsSourceArticle).describe('the first is the one that was summarised; others told the same story'),
  state: summaryCurrency.describe(
    'stale: the article was changed in what the summary rests on; gone: it is not there any more',
  ),
  changedAt: time.nullable().describe('when that was noticed'),
  corrections: z.array(z.object({ at: time, note: z.string() })).describe('oldest first'),
})
export type ThreadSummary = z.infer<typeof threadSummary>

export const getThreadSummary = {
  method: 'GET',
  url: '/api/threads/:threadId/summary',
  schema: {
    summary: 'How a news thread was made: by what, when, and what each sentence rests on',
    tags: ['news'],
    params: threadParams,
    response: answers(threadSummary),
  },
} as const satisfies Call

/** What a publisher allows: a summary, only the headline with its link, or nothing. */
export const newsPermission = z.enum(['allowed', 'headline', 'blocked'])
export type NewsPermission = z.infer<typeof newsPermission>

const urlText = (error: string) =>
  z
    .string({ error })
    .trim()
    .max(NEWS_URL_BYTES, error)
    .refine((value) => {
      if (!URL.canParse(value)) return false
      const { protocol, username, password } = new URL(value)
      return (protocol === 'https:' || protocol === 'http:') && username === '' && password === ''
    }, error)

const sourceName = line(NEWS_NAME, {
  blank: messages.news_name_required,
  too_short: messages.news_name_required,
  too_long: messages.news_name_too_long,
  bad_characters: messages.news_name_required,
})

export const newsSourceInput = z.object({
  url: urlText(messages.news_url_bad).describe('of the feed: RSS, Atom, RDF or JSON Feed'),
  name: sourceName.describe('shown as 出典'),
  categoryId: id.describe('its threads are opened there'),
  language: z
    .string()
    .regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, messages.news_language_bad)
    .default('ja')
    .describe('of its articles, as in BCP 47; summaries are always Japanese'),
  permission: newsPermission.default('allowed'),
  intervalMinutes: z
    .number({ error: messages.news_interval_range })
    .int(messages.news_interval_range)
    .min(NEWS_INTERVAL_MINUTES.min, messages.news_interval_range)
    .max(NEWS_INTERVAL_MINUTES.max, messages.news_interval_range)
    .default(NEWS_INTERVAL_MINUTES.usual)
    .describe('between two looks at the feed'),
  active: z.boolean().default(true),
})
export type NewsSourceInput = z.infer<typeof newsSourceInput>

/** Why a feed or an article could not be read, or may not be used. The web app has words for each (`NEWS_PROBLEMS`). */
export const newsProblem = z.enum([
  'unreachable',
  'timeout',
  'refused_address',
  'http_error',
  'gone',
  'redirects',
  'too_large',
  'robots',
  'opt_out',
  'not_a_feed',
  'not_html',
  'no_text',
  'too_old',
  'blocked',
  'language',
  'ungrounded',
  'model_failed',
  'banned_word',
  'category_missing',
])
export type NewsProblem = z.infer<typeof newsProblem>

export const newsSource = newsSourceInput.extend({
  _id: id,
  categoryId: id.nullable().describe('null once its category was deleted: it is not read until it gets another'),
  category: z.string().nullable(),
  fetchedAt: time.nullable().describe('when the feed was last read successfully'),
  nextFetchAt: time,
  problem: newsProblem.nullable().describe('why the last look failed'),
  failures: z.number().int().describe('looks in a row that failed'),
  threads: z.number().int().describe('threads it has led to'),
  createdAt: time,
})
export type NewsSource = z.infer<typeof newsSource>

const sourceParams = z.object({ sourceId: id })
const withdrawChoice = z.object({
  reason: reasonText,
  withdraw: z.boolean().default(false).describe('take its threads down as well'),
})

export const listNewsSources = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/news/sources',
  schema: { summary: 'News sources, by name', tags: ['news'], response: answers(z.array(newsSource)) },
} as const satisfies Call

export const createNewsSource = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/sources',
  schema: { summary: 'Add a source', tags: ['news'], body: newsSourceInput, response: created(newsSource) },
} as const satisfies Call

export const changeNewsSource = {
  ...forAdmins,
  method: 'PUT',
  url: '/api/admin/news/sources/:sourceId',
  schema: {
    summary: 'Change a source',
    tags: ['news'],
    params: sourceParams,
    body: newsSourceInput,
    response: answers(newsSource),
  },
} as const satisfies Call

export const deleteNewsSource = {
  ...forAdmins,
  method: 'DELETE',
  url: '/api/admin/news/sources/:sourceId',
  schema: {
    summary: 'Delete a source; its threads stay',
    tags: ['news'],
    params: sourceParams,
    response: answers(done),
  },
} as const satisfies Call

export const stopNewsSource = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/sources/:sourceId/stop',
  schema: {
    summary: 'Kill switch of one source: it is not read any more',
    tags: ['news'],
    params: sourceParams,
    body: withdrawChoice,
    response: answers(z.object({ withdrawn: z.number().int().describe('threads that were taken down') })),
  },
} as const satisfies Call

export const readNewsSource = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/sources/:sourceId/read',
  schema: {
    summary: 'Look at the feed at the next chance rather than when its interval is over',
    tags: ['news'],
    params: sourceParams,
    response: answers(done),
  },
} as const satisfies Call

export const exportNewsSources = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/news/opml',
  schema: { summary: 'All sources as OPML', tags: ['news'], response: answers(z.object({ opml: z.string() })) },
} as const satisfies Call

export const importNewsSources = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/opml',
  schema: {
    summary: 'Add the feeds of an OPML file; those that are there stay as they are',
    tags: ['news'],
    body: newsSourceInput
      .pick({ categoryId: true, permission: true, intervalMinutes: true, active: true })
      .extend({ opml: z.string().min(1, messages.news_opml_bad).max(NEWS_OPML_BYTES, messages.news_opml_bad) }),
    response: answers(
      z.object({
        added: z.number().int(),
        known: z.number().int(),
        unusable: z.array(z.string()).describe('addresses'),
      }),
    ),
  },
} as const satisfies Call

/**
 * A story: one or more articles that tell the same, and the thread made of them.
 * waiting: for approval. refused: no summary of it could stand. rejected: by an administrator. withdrawn: its thread was taken down.
 */
export const storyState = z.enum(['new', 'ready', 'waiting', 'published', 'refused', 'rejected', 'withdrawn'])
export type StoryState = z.infer<typeof storyState>

export const newsStory = z.object({
  _id: id,
  state: storyState,
  kind: summaryKind.nullable(),
  title: z.string(),
  sentences: z.array(summarySentence),
  sources: z.array(newsSourceArticle),
  category: z.string().nullable(),
  threadId: id.nullable(),
  problem: newsProblem.nullable(),
  findings: z.array(z.string()).describe('what the checker found, in words for administrators'),
  suspicious: z.array(z.string()).describe('passages of the article that speak to a machine; they were left out'),
  model: z.string().nullable(),
  promptVersion: z.string().nullable(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  milliseconds: z.number().int().describe('that the model took'),
  madeAt: time.nullable(),
  currency: summaryCurrency,
  changedAt: time.nullable(),
  corrections: threadSummary.shape.corrections,
  createdAt: time,
})
export type NewsStory = z.infer<typeof newsStory>

const storyParams = z.object({ storyId: id })

export const listNewsStories = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/news/stories',
  schema: {
    summary: 'Stories, newest first',
    tags: ['news'],
    querystring: z.object({
      state: storyState.optional(),
      cursor: id.optional(),
      limit: wholeNumber(1, 100).default(NEWS_PAGE),
    }),
    response: answers(z.object({ stories: z.array(newsStory), next: id.nullable() })),
  },
} as const satisfies Call

export const approveNewsStory = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/stories/:storyId/approve',
  schema: { summary: 'Publish a waiting story', tags: ['news'], params: storyParams, response: answers(newsStory) },
} as const satisfies Call

export const rejectNewsStory = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/stories/:storyId/reject',
  schema: {
    summary: 'Never publish a waiting story',
    tags: ['news'],
    params: storyParams,
    response: answers(newsStory),
  },
} as const satisfies Call

export const withdrawNewsStory = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/stories/:storyId/withdraw',
  schema: {
    summary: 'Take the thread of a story down',
    tags: ['news'],
    params: storyParams,
    body: z.object({ reason: reasonText }),
    response: answers(newsStory),
  },
} as const satisfies Call

const sentenceText = line(NEWS_SENTENCE, {
  blank: messages.news_sentence_required,
  too_short: messages.news_sentence_required,
  too_long: messages.news_sentence_too_long,
  bad_characters: messages.news_sentence_required,
})

export const newsCorrection = z.object({
  title: line(TITLE, {
    blank: messages.title_too_short,
    too_short: messages.title_too_short,
    too_long: messages.title_too_long,
    bad_characters: messages.title_bad_characters,
  }),
  sentences: z
    .array(sentenceText)
    .min(1, messages.news_sentence_required)
    .max(NEWS_SENTENCES_MAX)
    .describe('as many as there are now, in the same order'),
  note: reasonText.describe('what was wrong; everybody reads it'),
})
export type NewsCorrection = z.infer<typeof newsCorrection>

export const correctNewsStory = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/stories/:storyId/correct',
  schema: {
    summary: 'Correct the text of a published summary; the thread says that and why',
    tags: ['news'],
    params: storyParams,
    body: newsCorrection,
    response: answers(newsStory),
  },
} as const satisfies Call

export const retryNewsStory = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/stories/:storyId/retry',
  schema: {
    summary: 'Summarise a refused story once more',
    tags: ['news'],
    params: storyParams,
    response: answers(newsStory),
  },
} as const satisfies Call

export const newsStatus = z.object({
  active: z.boolean().describe('false: everything about news stands still'),
  scheduled: z.boolean().describe('this server looks at the feeds by itself (NEWS_SCHEDULE)'),
  running: z.boolean(),
  lastRunAt: time.nullable(),
  model: z.string().nullable().describe('null without LLM_BASE_URL: summaries are extracts then'),
  pausedUntil: time.nullable().describe('the model failed too often and is left alone until then'),
  tokens: z.object({
    hour: z.number().int(),
    hourLimit: z.number().int(),
    day: z.number().int(),
    dayLimit: z.number().int(),
  }),
  day: z
    .object({
      found: z.number().int(),
      skipped: z.number().int(),
      published: z.number().int(),
      refused: z.number().int(),
      calls: z.number().int().describe('asked of the model'),
      callsFailed: z.number().int(),
    })
    .describe('of the last 24 hours'),
  waiting: z.number().int().describe('stories that wait for approval'),
  pending: z.number().int().describe('articles and stories on their way'),
})
export type NewsStatus = z.infer<typeof newsStatus>

export const getNewsStatus = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/news/status',
  schema: { summary: 'How the news are doing', tags: ['news'], response: answers(newsStatus) },
} as const satisfies Call

export const stopNews = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/stop',
  schema: {
    summary: 'Kill switch of all news',
    tags: ['news'],
    body: withdrawChoice,
    response: answers(z.object({ withdrawn: z.number().int() })),
  },
} as const satisfies Call

export const resumeNews = {
  ...forAdmins,
  method: 'POST',
  url: '/api/admin/news/resume',
  schema: { summary: 'Let the news go on', tags: ['news'], response: answers(done) },
} as const satisfies Call

/** An article that led nowhere, or is on its way. */
export const newsArticle = z.object({
  _id: id,
  source: z.string().nullable(),
  url: z.string(),
  title: z.string(),
  state: z.enum(['found', 'read', 'told', 'skipped']),
  problem: newsProblem.nullable(),
  attempts: z.number().int(),
  foundAt: time,
})
export type NewsArticle = z.infer<typeof newsArticle>

export const listNewsArticles = {
  ...forAdmins,
  method: 'GET',
  url: '/api/admin/news/articles',
  schema: {
    summary: 'Articles, newest first: what became of each',
    tags: ['news'],
    querystring: z.object({
      state: newsArticle.shape.state.optional(),
      cursor: id.optional(),
      limit: wholeNumber(1, 100).default(NEWS_PAGE),
    }),
    response: answers(z.object({ articles: z.array(newsArticle), next: id.nullable() })),
  },
} as const satisfies Call
