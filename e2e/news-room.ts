/**
 * News for journeys: publishers and a language model on this machine, and boards that read them.
 */
import type { Category } from '@shinobi/contract/categories'
import type { NewsSourceInput, ThreadSummary } from '@shinobi/contract/news'
import type { SummaryKind, ThreadItem } from '@shinobi/contract/threads'
import { startLlm } from '@shinobi/newsroom/testing/outside/llm-server'
import { feedOf, pageOf } from '@shinobi/newsroom/testing/outside/newspaper'
import { startPublisher } from '@shinobi/newsroom/testing/outside/publishers'
import { enterAsAdmin, openAdminBoard } from './admin-board.ts'
import type { Board, Member } from './board.ts'

/** Settings with which a board reads publishers of this machine at once. */
export const NEWS_SETTINGS = { NEWS_SCHEDULE: 'true', NEWS_PRIVATE_ADDRESSES: 'true' } as const

export interface PublishedArticle {
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Added to the page's head. */
  readonly head?: string
}

export interface NewsPublisher {
  readonly feedUrl: string
  close(): Promise<void>
}

/**
 * A publisher whose articles are on a host each, so that the throttle per host does not delay a
 * test.
 */
export async function openPublisher(articles: readonly PublishedArticle[]): Promise<NewsPublisher> {
  const at = new Date()
  const hosts = await Promise.all(
    articles.map(({ head, ...article }, index) =>
      startPublisher({
        [`/articles/${index + 1}.html`]: { body: pageOf(article, head === undefined ? {} : { head }) },
      }),
    ),
  )
  const items = hosts.map(({ url }, index) => ({
    ...{ url: `${url}/articles/${index + 1}.html`, title: articles[index]!.title, at },
  }))
  const front = await startPublisher({ '/feed.xml': { body: feedOf('rss', items) } })
  return {
    feedUrl: `${front.url}/feed.xml`,
    async close() {
      await Promise.all([front, ...hosts].map((host) => host.close()))
    },
  }
}

const TITLE = '港町市、中央図書館の開館を午後9時まで延長'
const PARAGRAPHS = [
  '港町市は20日、中央図書館の開館時間を来年4月から午後9時まで延長すると発表した。',
  'これまでは午後6時に閉まり、仕事帰りの市民から利用できないという声が寄せられていた。',
  '市によると、試行した3か月間の夜間の来館者は延べ4200人で、想定の2倍に上った。',
  '人件費は年間で約1800万円増える見込みで、市は来年度の予算案に盛り込む方針だ。',
  '延長する時間帯には司書を2人置き、閲覧室と学習室を開ける。',
]

/** Sentences of the model's summary, each in other words, with the passage that it rests on. */
export const SENTENCES = [
  { text: '中央図書館は来年4月から、午後9時まで開くことになった。', quote: PARAGRAPHS[0]! },
  { text: '午後6時の閉館では勤め帰りに使えない、という市民の声があった。', quote: PARAGRAPHS[1]! },
  { text: '3か月の試行では夜に延べ4200人が訪れ、想定の2倍だった。', quote: PARAGRAPHS[2]! },
  { text: '年に約1800万円の人件費がかかり、予算案に入る方針だ。', quote: PARAGRAPHS[3]! },
]

/** Every summary shows the name. */
const MODEL = 'e2e-model'

/** A publisher with one article. */
interface Publication extends PublishedArticle, Pick<NewsSourceInput, 'name' | 'permission'> {}

const TSUBAME: Publication = { name: 'つばめ通信', permission: 'allowed', title: TITLE, paragraphs: PARAGRAPHS }
/** Reports the same story. */
const MINATO: Publication = {
  ...{ name: '港町デイリー', permission: 'allowed', title: '中央図書館、夜9時まで 港町市' },
  paragraphs: [...PARAGRAPHS.slice(0, 4), '職員の勤務は二交代になる。'],
}
const SATOYAMA: Publication = {
  ...{ name: '里山ニュース', permission: 'headline', title: '里山線の始発、12月から20分早まる' },
  paragraphs: ['ここは、だれにも読まれない。'],
}

/** A board that reads the feeds of publishers. */
async function openReadingBoard(publications: readonly Publication[], settings: Readonly<Record<string, string>> = {}) {
  const publishers = await Promise.all(publications.map((publication) => openPublisher([publication])))
  const board = await openAdminBoard({ ...NEWS_SETTINGS, ...settings })
  const admin = await enterAsAdmin(board)
  const [category] = await admin.send<Category[]>('GET', '/api/categories')
  for (const [index, { name, permission }] of publications.entries()) {
    const source: NewsSourceInput = {
      ...{ url: publishers[index]!.feedUrl, name, permission, categoryId: category!._id },
      ...{ language: 'ja', intervalMinutes: 30, active: true },
    }
    await admin.send('POST', '/api/admin/news/sources', source)
  }
  return {
    board,
    admin,
    /** Waits for the thread with a summary of this kind. */
    thread: (kind: SummaryKind) =>
      until(async () => {
        const threads = await read<ThreadItem[]>(board, '/api/threads')
        return threads.find(({ summary }) => summary === kind)
      }),
    async close() {
      await board.close()
      await Promise.all(publishers.map((publisher) => publisher.close()))
    },
  }
}

const read = async <T>(board: Board, path: string): Promise<T> => (await (await fetch(board.url + path)).json()) as T

/** Requests to a host are seconds apart. */
const PATIENCE_MS = 50_000

async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  throw new Error('the news were not read in time')
}

export interface NewsRoom {
  readonly board: Board
  readonly admin: Member
  /** Summarised by the model, from two publishers. */
  readonly summarised: ThreadItem
  /** Its publisher allows the headline only. */
  readonly headline: ThreadItem
  close(): Promise<void>
}

/** A board with a language model, three publishers and the two threads made from them. */
export async function openNewsRoom(): Promise<NewsRoom> {
  const model = await startLlm({ answer: JSON.stringify({ title: TITLE, sentences: SENTENCES }) })
  const settings = { LLM_BASE_URL: model.url, LLM_MODEL: MODEL }
  const { board, admin, thread, close } = await openReadingBoard([TSUBAME, MINATO, SATOYAMA], settings)
  const [summarised, headline] = await Promise.all([thread('ai'), thread('headline')])
  await until(async () => {
    const { sources } = await read<ThreadSummary>(board, `/api/threads/${summarised._id}/summary`)
    return sources.length === 2 ? sources : undefined
  })
  return {
    ...{ board, admin, summarised, headline },
    async close() {
      await close()
      await model.close()
    },
  }
}

/** A board without a language model, and the thread with its excerpt of an article. */
export async function openExtractBoard() {
  const { board, thread, close } = await openReadingBoard([TSUBAME])
  return { board, extract: await thread('extractive'), close }
}
