/** News threads: where they come from, how they were made, and how administrators run them. */
import { z } from 'zod'
import { answers, created, done, id, line, reasonText, requires, time, wholeNumber, type Call } from './common.ts'
import { required, sentenceWords, sourceNameWords } from './complaints.ts'
import {
  NEWS_OPML_CHARACTERS,
  NEWS_PAGE,
  NEWS_SENTENCES_MAX,
  NEWS_UNUSABLE_MAX,
  NEWS_URL_CHARACTERS,
  TITLE,
} from './limits.ts'
import { NEWS_INTERVAL_MINUTES, NEWS_NAME, NEWS_SENTENCE } from './staff-limits.ts'
import { messages } from './messages.ts'
import { IDLE_REASONS, NEWS_PERMISSIONS, NEWS_PROBLEMS, STORY_STATES, SUMMARY_CURRENCY } from './news-labels.ts'
import { LANGUAGE_TAG } from './text.ts'
import { summaryKind, threadParams } from './threads.ts'
import { isWebAddress } from './web-address.ts'

/** A call of the administrators' screen of the news. */
const deskCall = <const Method extends Call['method'], Schema extends Omit<Call['schema'], 'tags'>>(
  method: Method,
  path: string,
  schema: Schema,
) => ({ ...requires('runNews'), method, url: `/api/admin/news/${path}`, schema: { tags: ['news'], ...schema } })

/** The keys of these labels. */
const oneOf = <Labels extends object>(labels: Labels) => z.enum(Object.keys(labels) as (keyof Labels & string)[])

/** An article that a summary is based on. */
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

/** Whether the article still says what its summary states. */
export const summaryCurrency = oneOf(SUMMARY_CURRENCY)
export type SummaryCurrency = z.infer<typeof summaryCurrency>

/** How a news thread was made, as its page shows it. */
export const threadSummary = z.object({
  kind: summaryKind,
  model: z.string().nullable().describe('of an AI summary'),
  madeAt: time,
  sentences: z.array(summarySentence).describe('in the order of the opening text; none for a headline'),
  sources: z.array(newsSourceArticle).describe('the first is the one that was summarised; others told the same story'),
  state: summaryCurrency.describe(
    'stale: the article was changed in its title, a number, or what the summary rests on; corrected: it says so itself; gone: it is not there any more; opted_out: its publisher refuses the use by machines since',
  ),
  changedAt: time.nullable().describe('when that was noticed'),
  corrections: z
    .array(
      z.object({
        at: time,
        note: z.string(),
        changes: z
          .array(z.object({ before: z.string(), after: z.string() }))
          .describe('the sentences, and the title, that were changed; none of a correction from before they were kept'),
      }),
    )
    .describe('oldest first'),
})
export type ThreadSummary = z.infer<typeof threadSummary>

export const getThreadSummary = {
  method: 'GET',
  url: '/api/threads/:threadId/summary',
  schema: {
    summary: 'How a news thread was made: by what, when, and what each sentence rests on',
    description: 'Refusals: not_found, also for a thread that is no news, was removed, or whose post 1 was.',
    tags: ['news'],
    params: threadParams,
    response: answers(threadSummary),
  },
} as const satisfies Call

/** What stands at the address of a news thread that was taken down. */
export const withdrawal = z.object({
  title: z.string().describe('of the article, as its publisher has it'),
  site: z.string(),
  url: z.string().nullable().describe('of the article; null where it is no address of the web'),
  reason: z.string().describe('why, in the words of the administrator'),
  at: time,
})
export type Withdrawal = z.infer<typeof withdrawal>

export const getWithdrawal = {
  method: 'GET',
  url: '/api/threads/:threadId/withdrawal',
  schema: {
    summary: 'Why a news thread was taken down, and when',
    description: 'Refusals: not_found, also for a thread that stands, or was removed otherwise.',
    tags: ['news'],
    params: threadParams,
    response: answers(withdrawal),
  },
} as const satisfies Call

/** What a publisher allows: a summary, only the headline with its link, or nothing. */
export const newsPermission = oneOf(NEWS_PERMISSIONS)
export type NewsPermission = z.infer<typeof newsPermission>

const urlText = (error: string) =>
  z.string({ error }).trim().max(NEWS_URL_CHARACTERS, error).refine(isWebAddress, error)

const sourceName = line(NEWS_NAME, sourceNameWords)

export const newsSourceInput = z.object({
  url: urlText(messages.news_url_bad).describe('of the feed: RSS, Atom, RDF or JSON Feed'),
  name: sourceName.describe('shown as 出典'),
  categoryId: z
    .uuid({ error: messages.category_required })
    .overwrite((value) => value.toLowerCase())
    .describe('its threads are opened there'),
  language: z
    .string()
    .regex(LANGUAGE_TAG, messages.news_language_bad)
    .default('ja')
    .describe(
      'of its articles, as in BCP 47. ja: those in Japanese are taken, others skipped. Anything else: all are taken, and what is not in Japanese only a model can summarise. Summaries are always Japanese',
    ),
  permission: newsPermission.default('allowed'),
  intervalMinutes: z
    .int(messages.news_interval_range)
    .min(NEWS_INTERVAL_MINUTES.min, messages.news_interval_range)
    .max(NEWS_INTERVAL_MINUTES.max, messages.news_interval_range)
    .default(NEWS_INTERVAL_MINUTES.usual)
    .describe('between two looks at the feed'),
  active: z.boolean().default(true),
})
export type NewsSourceInput = z.infer<typeof newsSourceInput>

/**
 * Fields of a source to change. Those that are left out stay, so that a form that was opened before
 * a source was stopped does not start it again.
 */
const newsSourceChange = newsSourceInput
  .extend({
    language: newsSourceInput.shape.language.unwrap(),
    permission: newsPermission,
    intervalMinutes: newsSourceInput.shape.intervalMinutes.unwrap(),
    active: z.boolean(),
  })
  .partial()
export type NewsSourceChange = z.infer<typeof newsSourceChange>

/** Why a feed or an article could not be read, or may not be used. */
export const newsProblem = oneOf(NEWS_PROBLEMS)
export type NewsProblem = z.infer<typeof newsProblem>

export const newsSource = newsSourceInput.extend({
  _id: id,
  categoryId: id.nullable().describe('null once its category was deleted: it is not read until it gets another'),
  category: z.string().nullable(),
  fetchedAt: time.nullable().describe('when the feed was last read successfully'),
  nextFetchAt: time,
  problem: newsProblem.nullable().describe('why the last look failed'),
  failures: z.int().describe('looks in a row that failed'),
  threads: z.int().describe('threads that were opened of its articles, those included that were taken down'),
  createdAt: time,
})
export type NewsSource = z.infer<typeof newsSource>

/** Why no thread was opened in the last two days, which is as long as news are waited for. */
export const newsIdle = z.object({
  kind: oneOf(IDLE_REASONS).describe(
    'waiting: for approval; turn: for the threads of the next hour; refused: articles were skipped, or no summary of them stood; rejected: by an administrator; merged: they told what other threads tell',
  ),
  count: z.int().describe('articles or stories for which that is so'),
  problem: newsProblem.nullable().describe('the commonest one, where they were refused'),
})
export type NewsIdle = z.infer<typeof newsIdle>

/** A source in the list. */
export const listedNewsSource = newsSource.extend({
  idle: newsIdle
    .nullable()
    .describe('why it opened no thread lately; null where it did, and where it is not read, as its other fields tell'),
})
export type ListedNewsSource = z.infer<typeof listedNewsSource>

const sourceParams = z.object({ sourceId: id })
const sourceCodes = { url: 'bad_source', name: 'bad_source', categoryId: 'bad_category' } as const
const newsStop = z.object({
  reason: reasonText,
  withdraw: z.boolean().default(false).describe('take its threads down as well'),
})
export type NewsStop = z.infer<typeof newsStop>

export const listNewsSources = deskCall('GET', 'sources', {
  summary: 'News sources, by name',
  response: answers(z.array(listedNewsSource)),
})

export const createNewsSource = deskCall('POST', 'sources', {
  summary: 'Add a source',
  description: 'Refusals: bad_source; bad_category; taken when its feed is there already, or there are too many.',
  body: newsSourceInput,
  codes: sourceCodes,
  response: created(newsSource),
})

export const changeNewsSource = deskCall('PUT', 'sources/:sourceId', {
  summary: 'Change a source',
  description:
    'Fields that are left out stay. Refusals: not_found; bad_source; bad_category; taken when another source has the feed.',
  params: sourceParams,
  body: newsSourceChange,
  codes: sourceCodes,
  response: answers(newsSource),
})

export const deleteNewsSource = deskCall('DELETE', 'sources/:sourceId', {
  summary: 'Delete a source; its threads stay',
  description: 'Refusals: not_found.',
  params: sourceParams,
  response: answers(done),
})

export const stopNewsSource = deskCall('POST', 'sources/:sourceId/stop', {
  summary: 'Kill switch of one source: it is not read any more',
  description: 'Refusals: not_found.',
  params: sourceParams,
  body: newsStop,
  response: answers(z.object({ withdrawn: z.int().describe('threads that were taken down') })),
})

export const readNewsSource = deskCall('POST', 'sources/:sourceId/read', {
  summary: 'Look at the feed at the next chance rather than when its interval is over',
  description: 'Refusals: not_found.',
  params: sourceParams,
  response: answers(done),
})

export const exportNewsSources = deskCall('GET', 'opml', {
  summary: 'All sources as OPML',
  response: answers(z.object({ opml: z.string() })),
})

const newsSourcesImport = newsSourceInput.omit({ url: true, name: true }).extend({
  language: newsSourceInput.shape.language.describe('of feeds for which the file does not give it'),
  opml: z.string().min(1, messages.news_opml_bad).max(NEWS_OPML_CHARACTERS, messages.news_opml_too_large),
})
export type NewsSourcesImport = z.infer<typeof newsSourcesImport>

const importedNewsSources = z.object({
  added: z.int(),
  known: z.int().describe('there before, or twice in the file'),
  unusable: z.array(z.string()).describe(`addresses that name no feed, at most the first ${NEWS_UNUSABLE_MAX}`),
  unusableCount: z.int().describe('all of them'),
})
export type ImportedNewsSources = z.infer<typeof importedNewsSources>

export const importNewsSources = deskCall('POST', 'opml', {
  summary: 'Add the feeds of an OPML file; those that are there stay as they are',
  description: 'Refusals: bad_source for what is no OPML; bad_category; taken when there would be too many.',
  body: newsSourcesImport,
  response: answers(importedNewsSources),
})

/**
 * A story: one or more articles about the same event, and the thread made of them. waiting: for
 * approval. refused: no summary passed the check. rejected: by an administrator. withdrawn: its
 * thread was removed.
 */
export const storyState = oneOf(STORY_STATES)
export type StoryState = z.infer<typeof storyState>

export const newsStory = z.object({
  _id: id,
  state: storyState,
  kind: summaryKind.nullable(),
  title: z.string(),
  sentences: z.array(summarySentence).describe('none for a headline, and before it is summarised'),
  sources: z.array(newsSourceArticle),
  sourceActive: z.boolean().describe('false while the source of its first article is switched off: its work waits'),
  category: z.string().nullable(),
  threadId: id.nullable().describe('once it was published'),
  problem: newsProblem.nullable().describe('why it was refused'),
  findings: z.array(z.string()).describe('what the checker found, in words for administrators'),
  suspicious: z.array(z.string()).describe('passages of the article that speak to a machine; they were left out'),
  model: z.string().nullable(),
  promptVersion: z.string().nullable(),
  inputTokens: z
    .int()
    .describe('of all questions about it, as the model’s own tokenizer counts; estimated where it does not tell'),
  outputTokens: z.int().describe('of all answers, the same way'),
  milliseconds: z.int().describe('that the model took for all of them'),
  madeAt: time.nullable().describe('when its summary was made'),
  currency: summaryCurrency,
  changedAt: time.nullable().describe('when the article was last found changed or gone'),
  reviewedAt: time.nullable().describe('when somebody has looked at that change; null before'),
  corrections: threadSummary.shape.corrections,
  createdAt: time,
})
export type NewsStory = z.infer<typeof newsStory>

const storyParams = z.object({ storyId: id })

/** A list of stories: of a state, or with a change of the article that nobody has looked at. */
export const storyList = z.enum([...storyState.options, 'changed'])
export type StoryList = z.infer<typeof storyList>

export const listNewsStories = deskCall('GET', 'stories', {
  summary: 'Stories, newest first',
  querystring: z.object({
    state: storyList.optional(),
    threadId: id.optional().describe('only the story of this thread'),
    cursor: id.optional(),
    limit: wholeNumber(1, 100).default(NEWS_PAGE),
  }),
  response: answers(z.object({ stories: z.array(newsStory), next: id.nullable() })),
})

/** A decision on a story, which is refused in another state unless its description says more. */
const decideCall = <Schema extends Pick<Call['schema'], 'summary' | 'description' | 'body'>>(
  name: string,
  schema: Schema,
) =>
  deskCall('POST', `stories/:storyId/${name}`, {
    description: 'Refusals: not_found; already_done when it is in another state.',
    ...{ params: storyParams, response: answers(newsStory), ...schema },
  })

export const approveNewsStory = decideCall('approve', {
  summary: 'Publish a waiting story, or one that was rejected, when its turn comes',
})

export const rejectNewsStory = decideCall('reject', { summary: 'Do not publish a waiting story' })

export const restoreNewsStory = decideCall('restore', {
  summary: 'Take a rejection back: the story waits for approval again',
})

export const keepNewsStory = decideCall('keep', {
  summary: 'Leave a published story as it is, although its article has changed',
  description: 'Refusals: not_found; already_done when it is not on the board, or somebody else has looked at it.',
})

export const retryNewsStory = decideCall('retry', {
  summary: 'Summarise a refused story once more',
  description: 'Refusals: not_found; already_done when it is in another state, or when its text is not kept any more.',
})

export const withdrawNewsStory = decideCall('withdraw', {
  summary: 'Take the thread of a story down',
  description: 'Refusals: not_found; already_done when it is not on the board.',
  body: z.object({ reason: reasonText }),
})

const sentenceText = line(NEWS_SENTENCE, sentenceWords)

export const newsCorrection = z.object({
  title: line(TITLE, required(messages.title_too_short, messages.title_too_long)),
  sentences: z
    .array(sentenceText)
    .max(NEWS_SENTENCES_MAX)
    .describe('as many as there are now, in the same order; none for a headline'),
  corrections: z
    .int()
    .min(0)
    .describe('corrections of the text that was mended: another one since is not written over'),
  note: reasonText.describe('what was wrong; everybody reads it'),
})
export type NewsCorrection = z.infer<typeof newsCorrection>

export const correctNewsStory = decideCall('correct', {
  summary: 'Correct the text of a published summary; the thread says that and why',
  description:
    'Refusals: not_found; bad_content when the number of sentences differs; already_done when somebody else has corrected it meanwhile, when it is not on the board, or when post 1 was removed.',
  body: newsCorrection,
})

/** Why the language model is paused. */
export const modelPause = z.enum(['failures', 'budget'])
export type ModelPause = z.infer<typeof modelPause>

export const newsStatus = z.object({
  active: z.boolean().describe('false: everything about news stands still'),
  scheduled: z.boolean().describe('this server looks at the feeds by itself (NEWS_SCHEDULE)'),
  running: z.boolean().describe('a run is under way, on whichever server'),
  lastRunAt: time.nullable().describe('when the last run ended, on whichever server or by `npm run news -- run`'),
  changedAt: time.nullable().describe('when a run last changed something'),
  model: z.string().nullable().describe('null without LLM_BASE_URL: summaries are extracts then'),
  paused: z
    .object({
      until: time.describe('when it is asked again at the earliest'),
      cause: modelPause.describe(
        'failures: it failed too often and is left alone; budget: there are too few tokens left',
      ),
    })
    .nullable()
    .describe('why the model is not asked now'),
  tokens: z
    .object({
      hour: z.int(),
      hourLimit: z.int(),
      day: z.int(),
      dayLimit: z.int(),
    })
    .describe(
      'of questions and answers together, in the last 60 minutes and the last 24 hours; a call that is under way, or whose end nobody knows, counts as all that it may cost',
    ),
  cost: z
    .object({
      currency: z.string().describe('ISO 4217'),
      day: z.number(),
      month: z.number().describe('of the last 30 days'),
      unpriced: z.array(z.string()).describe('models of these days that have no price, which are not in the sums'),
    })
    .nullable()
    .describe('what the calls have cost; null where no prices are set'),
  day: z
    .object({
      found: z.int().describe('articles that were found in that time'),
      skipped: z.int().describe('of those, the ones that could or might not be used'),
      published: z.int().describe('threads that were opened in that time, those taken down since included'),
      refused: z.int().describe('stories begun in that time of which no summary could stand'),
      calls: z.int().describe('times that the model was asked'),
      callsFailed: z
        .int()
        .describe('of those, without an answer that could be read; one that is under way is among them'),
    })
    .describe('of the last 24 hours'),
  idle: newsIdle
    .nullable()
    .describe('why no source opened a thread lately; null where one did, and while active is false'),
  waiting: z.int().describe('stories that wait for approval'),
  changed: z.int().describe('published stories whose article has changed, and nobody has looked at it'),
  pending: z.int().describe('articles and stories on their way, those of sources that are switched off included'),
})
export type NewsStatus = z.infer<typeof newsStatus>

export const getNewsStatus = deskCall('GET', 'status', {
  summary: 'How the news are doing',
  response: answers(newsStatus),
})

export const stopNews = deskCall('POST', 'stop', {
  summary: 'Kill switch of all news',
  body: newsStop,
  response: answers(z.object({ withdrawn: z.int() })),
})

export const resumeNews = deskCall('POST', 'resume', { summary: 'Let the news go on', response: answers(done) })

/** An article that is still being processed, or that became part of no story. */
export const newsArticle = z.object({
  _id: id,
  source: z.string().nullable().describe('null once that was deleted'),
  url: z.string().nullable().describe('http or https; null for anything else that a feed names'),
  title: z.string(),
  state: z
    .enum(['found', 'read', 'told', 'skipped'])
    .describe('found: to be read; read: to become a story, or part of one; told: it has; skipped: it led nowhere'),
  problem: newsProblem.nullable().describe('why it was skipped, or why the last try failed'),
  attempts: z.int().describe('times that its page was to be asked for once more, as it could not be had'),
  foundAt: time,
})
export type NewsArticle = z.infer<typeof newsArticle>

export const listNewsArticles = deskCall('GET', 'articles', {
  summary: 'Articles, newest first: what became of each',
  querystring: z.object({
    state: newsArticle.shape.state.optional(),
    cursor: id.optional(),
    limit: wholeNumber(1, 100).default(NEWS_PAGE),
  }),
  response: answers(z.object({ articles: z.array(newsArticle), next: id.nullable() })),
})
