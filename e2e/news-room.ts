/**
 * News for journeys: publishers and a language model on this machine, and boards that read them.
 */
import { expect } from '@playwright/test'
import type { Category } from '@shinobi/contract/categories'
import type { NewsSourceInput, ThreadSummary } from '@shinobi/contract/news'
import type { SummaryKind, ThreadItem } from '@shinobi/contract/threads'
import { startLlm } from '@shinobi/newsroom/testing/outside/llm-server'
import { feedOf, pageOf, type Matter, type PageFields } from '@shinobi/newsroom/testing/outside/newspaper'
import { startPublisher } from '@shinobi/newsroom/testing/outside/publishers'
import { enterAsAdmin, openAdminBoard } from './admin-board.ts'

/** Settings with which a board reads publishers of this machine at once. */
export const NEWS_SETTINGS = { NEWS_SCHEDULE: 'true', NEWS_PRIVATE_ADDRESSES: 'true' } as const

type PublishedArticle = Omit<Matter, 'slug'> & Pick<PageFields, 'head'>

export type NewsPublisher = Awaited<ReturnType<typeof openPublisher>>

/**
 * A publisher whose articles are on a host each, so that the throttle per host does not delay a
 * test.
 */
export async function openPublisher(articles: readonly PublishedArticle[]) {
  const at = new Date()
  const hosts = await Promise.all(
    articles.map(({ head = '', ...article }, index) =>
      startPublisher({ [`/articles/${index + 1}.html`]: { body: pageOf(article, { head }) } }),
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
] as const

/** Sentences of the model's summary, each in other words, with the passage that it rests on. */
export const SENTENCES = [
  { text: '中央図書館は来年4月から、午後9時まで開くことになった。', quote: PARAGRAPHS[0] },
  { text: '午後6時の閉館では勤め帰りに使えない、という市民の声があった。', quote: PARAGRAPHS[1] },
  { text: '3か月の試行では夜に延べ4200人が訪れ、想定の2倍だった。', quote: PARAGRAPHS[2] },
  { text: '年に約1800万円の人件費がかかり、予算案に入る方針だ。', quote: PARAGRAPHS[3] },
] as const

/** Publishers with one article each. */
const PUBLICATIONS: readonly (PublishedArticle & Pick<NewsSourceInput, 'name' | 'permission'>)[] = [
  { name: 'つばめ通信', permission: 'allowed', title: TITLE, paragraphs: PARAGRAPHS },
  // Reports the same story.
  {
    ...{ name: '港町デイリー', permission: 'allowed', title: '中央図書館、夜9時まで 港町市' },
    paragraphs: [...PARAGRAPHS.slice(0, 4), '職員の勤務は二交代になる。'],
  },
  {
    ...{ name: '里山ニュース', permission: 'headline', title: '里山線の始発、12月から20分早まる' },
    paragraphs: ['ここは、だれにも読まれない。'],
  },
]

/** Looks until there is something. Requests to a host are seconds apart. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  let found: T | undefined
  await expect(async () => expect((found = await look())).toBeDefined()).toPass()
  return found!
}

export type NewsRoom = Awaited<ReturnType<typeof openNewsRoom>>

/** A board with a language model, three publishers and the two threads made from them. */
export async function openNewsRoom() {
  const model = await startLlm({ answer: JSON.stringify({ title: TITLE, sentences: SENTENCES }) })
  const board = await openAdminBoard({ ...NEWS_SETTINGS, LLM_BASE_URL: model.url, LLM_MODEL: 'e2e-model' })
  const admin = await enterAsAdmin(board)
  const read = async <T>(path: string): Promise<T> => (await (await fetch(board.url + path)).json()) as T
  const [category] = await read<Category[]>('/api/categories')
  const publishers: NewsPublisher[] = []
  for (const { name, permission, ...article } of PUBLICATIONS) {
    const publisher = await openPublisher([article])
    publishers.push(publisher)
    const source: NewsSourceInput = {
      ...{ url: publisher.feedUrl, name, permission, categoryId: category!._id },
      ...{ language: 'ja', intervalMinutes: 30, active: true },
    }
    await admin.send('POST', '/api/admin/news/sources', source)
  }
  const thread = (kind: SummaryKind) =>
    until(async () => (await read<ThreadItem[]>('/api/threads')).find(({ summary }) => summary === kind))
  const [summarised, headline] = await Promise.all([thread('ai'), thread('headline')])
  await until(async () => {
    const { sources } = await read<ThreadSummary>(`/api/threads/${summarised._id}/summary`)
    return sources.length === 2 ? sources : undefined
  })
  return {
    ...{ board, admin },
    /** Summarised by the model, from two publishers. */
    summarised,
    /** Its publisher allows the headline only. */
    headline,
    async close() {
      await board.close()
      await Promise.all([model, ...publishers].map((server) => server.close()))
    },
  }
}
