/**
 * News for tests that are not about the pipeline: a source, and a story in the state that a run
 * leaves.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { NewsArticle, NewsPermission, NewsProblem, StoryState } from '@shinobi/contract/news'
import type { SummaryKind } from '@shinobi/contract/threads'
import { uuidv7 } from '../lib/uuid.ts'
import type { Board as TestBoard } from './board.ts'

type Board = Pick<TestBoard, 'database' | 'clock'>

export interface SourceFields {
  readonly url?: string
  readonly name?: string
  readonly permission?: NewsPermission
  readonly category?: string
  readonly language?: string
}

/**
 * Adds a source to the database, due at once, without an administrator's call.
 * @returns its id
 */
export async function addSource(
  board: Board,
  {
    url = `https://news.example.jp/${randomUUID()}.xml`,
    name = '忍日報',
    permission = 'allowed',
    category = 'general',
    language = 'ja',
  }: SourceFields = {},
): Promise<string> {
  const { db } = board.database
  const at = new Date(board.clock.now)
  const id = uuidv7(board.clock.now)
  const { id: categoryId } = await db
    .selectFrom('categories')
    .select('id')
    .where('name', '=', category)
    .executeTakeFirstOrThrow()
  const settings = { language, permission, intervalMinutes: 30, active: true }
  await db
    .insertInto('newsSources')
    .values({ id, url, name, categoryId, ...settings, nextFetchAt: at, createdAt: at })
    .execute()
  return id
}

/** Deletes all news with their sources, so that the next test finds none. */
export async function forgetNews({ database: { db } }: Board): Promise<void> {
  for (const table of ['newsArticles', 'newsStories', 'newsSources', 'newsCalls'] as const) {
    await db.deleteFrom(table).execute()
  }
}

export interface StoryFields {
  readonly sourceId: string
  readonly state?: StoryState
  readonly kind?: SummaryKind
  /** The thread that was opened for it. */
  readonly threadId?: string | null
  readonly title?: string
  readonly url?: string
  readonly sentences?: readonly { readonly text: string; readonly quote: string }[]
}

export const SENTENCES = [
  {
    text: '市は来年から図書館を夜まで開く。',
    quote: '市は2027年4月から、中央図書館の開館時間を午後10時まで延ばすと発表した。',
  },
  { text: '利用者の声に応えた。', quote: '利用者へのアンケートで要望が多かったという。' },
  { text: '費用は年に3千万円の見込み。', quote: '年間の費用は3千万円を見込む。' },
]

export interface ArticleFields {
  readonly sourceId: string
  readonly id?: string
  readonly storyId?: string
  readonly url?: string
  readonly title?: string
  readonly state?: NewsArticle['state']
  readonly problem?: NewsProblem
  /** Null for an article whose feed gives no date. */
  readonly publishedAt?: Date | null
  /** Without it the article was not read. */
  readonly text?: string
}

/** Adds an article; one that is found or read is due. @returns its id */
export async function addArticle(
  board: Board,
  { id = uuidv7(board.clock.now), url = `https://news.example.jp/${id}`, title = '速報', ...fields }: ArticleFields,
): Promise<string> {
  const at = new Date(board.clock.now)
  const { text, state = 'found', publishedAt = at, ...others } = fields
  const document = {
    ...{ url, canonicalUrl: url, title, site: '忍日報', publishedAt: at.toISOString(), language: 'ja', imageUrl: null },
    ...{ text, suspicious: [] },
  }
  await board.database.db
    .insertInto('newsArticles')
    .values({
      ...{ id, url, title, state, publishedAt, foundAt: at, ...others },
      urlHash: createHash('sha256').update(url).digest('hex'),
      nextTryAt: state === 'found' || state === 'read' ? at : null,
      document: text === undefined ? null : JSON.stringify(document),
    })
    .execute()
  return id
}

/** Adds a story and its article. @returns the story's id */
export async function addStory(
  board: Board,
  {
    sourceId,
    state = 'published',
    kind = 'ai',
    threadId = null,
    title = '図書館、夜も開く',
    url = `https://news.example.jp/${randomUUID()}`,
    sentences = SENTENCES,
  }: StoryFields,
): Promise<string> {
  const { db } = board.database
  const at = new Date(board.clock.now)
  const id = uuidv7(board.clock.now)
  const source = await db
    .selectFrom('newsSources')
    .select('categoryId')
    .where('id', '=', sourceId)
    .executeTakeFirstOrThrow()
  const isDue = state === 'new' || state === 'ready'
  await db
    .insertInto('newsStories')
    .values({
      ...{ id, state, kind, threadId, categoryId: source.categoryId, begunAt: at, createdAt: at },
      summary: JSON.stringify({ title, sentences }),
      ...(kind === 'ai' ? { model: 'test-model', promptVersion: 'test-1', inputTokens: 900, outputTokens: 300 } : {}),
      ...{ madeAt: at, publishedAt: threadId === null ? null : at, nextTryAt: isDue ? at : null },
    })
    .execute()
  const text = sentences.map(({ quote }) => quote).join('\n')
  await addArticle(board, { id, sourceId, storyId: id, url, title, state: 'told', text })
  if (threadId !== null) {
    await db
      .updateTable('threads')
      .set({ summary: kind, aiGenerated: kind === 'ai', sourceSite: '忍日報', sourceUrl: url })
      .where('id', '=', threadId)
      .execute()
    await db
      .updateTable('newsSources')
      .set((column) => ({ threads: column('threads', '+', 1) }))
      .where('id', '=', sourceId)
      .execute()
  }
  return id
}
