/** News for tests: publishers and a language model on this machine, and a board that has read what they write. */
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Category } from '@shinobi/contract/categories'
import type { NewsSourceInput, NewsStory, ThreadSummary } from '@shinobi/contract/news'
import type { SummaryKind, ThreadItem } from '@shinobi/contract/threads'
import { enterAsAdmin, openAdminBoard } from './admin-board.ts'
import type { Board, Member } from './board.ts'

const TITLE = '港町市、中央図書館の開館を午後9時まで延長'
const PARAGRAPHS = [
  '港町市は20日、中央図書館の開館時間を来年4月から午後9時まで延長すると発表した。',
  'これまでは午後6時に閉まり、仕事帰りの市民から利用できないという声が寄せられていた。',
  '市によると、試行した3か月間の夜間の来館者は延べ4200人で、想定の2倍に上った。',
  '人件費は年間で約1800万円増える見込みで、市は来年度の予算案に盛り込む方針だ。',
  '延長する時間帯には司書を2人置き、閲覧室と学習室を開ける。',
]

/** What the model says of it: each sentence in other words, with the passage that it rests on. */
export const SENTENCES = [
  { text: '中央図書館は来年4月から、午後9時まで開くことになった。', quote: PARAGRAPHS[0]! },
  { text: '午後6時の閉館では勤め帰りに使えない、という市民の声があった。', quote: PARAGRAPHS[1]! },
  { text: '3か月の試行では夜に延べ4200人が訪れ、想定の2倍だった。', quote: PARAGRAPHS[2]! },
  { text: '年に約1800万円の人件費がかかり、予算案に入る方針だ。', quote: PARAGRAPHS[3]! },
]

/** Its name is shown with every summary. */
const MODEL = 'e2e-model'

interface Listening {
  readonly url: string
  close(): Promise<void>
}

async function listen(answer: RequestListener): Promise<Listening> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Publication {
  readonly name: string
  readonly permission: NewsSourceInput['permission']
  readonly title: string
  readonly paragraphs: readonly string[]
}

const TSUBAME: Publication = { name: 'つばめ通信', permission: 'allowed', title: TITLE, paragraphs: PARAGRAPHS }
/** Tells the same story. */
const MINATO: Publication = {
  ...{ name: '港町デイリー', permission: 'allowed', title: '中央図書館、夜9時まで 港町市' },
  paragraphs: [...PARAGRAPHS.slice(0, 4), '職員の勤務は二交代になる。'],
}
const SATOYAMA: Publication = {
  ...{ name: '里山ニュース', permission: 'headline', title: '里山線の始発、12月から20分早まる' },
  paragraphs: ['ここは、だれにも読まれない。'],
}

/** Publishers with one article each, in one house: the board is polite to a host, and asks it for little at a time. */
const startPublishers = (publications: readonly Publication[]): Promise<Listening> =>
  listen(({ url = '', headers }, response) => {
    const [, index = '', what] = /^\/(\d)\/(feed\.xml|article)$/.exec(url) ?? []
    const publication = publications[Number(index)]
    if (what === undefined || publication === undefined) return void response.writeHead(404).end()
    const { title, paragraphs } = publication
    if (what === 'feed.xml') {
      response.setHeader('content-type', 'application/rss+xml; charset=utf-8')
      const link = `http://${headers.host}/${index}/article`
      const item = `<item><title>${title}</title><link>${link}</link><pubDate>${new Date().toUTCString()}</pubDate></item>`
      response.end(`<rss version="2.0"><channel><title>ニュース</title>${item}</channel></rss>`)
    } else {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      const text = [`<h1>${title}</h1>`, ...paragraphs.map((paragraph) => `<p>${paragraph}</p>`)].join('\n')
      response.end(
        `<!doctype html><html lang="ja"><head><title>${title}</title></head><body><article>${text}</article></body></html>`,
      )
    }
  })

/** Speaks OpenAI's protocol, and knows one article. */
const startModel = (): Promise<Listening> =>
  listen((request, response) => {
    request.resume()
    const content = JSON.stringify({ title: TITLE, sentences: SENTENCES })
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        ...{ id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: MODEL },
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 900, completion_tokens: 200, total_tokens: 1_100 },
      }),
    )
  })

/** A board that looks at the feeds of publishers. */
async function openReadingBoard(publications: readonly Publication[], settings: Readonly<Record<string, string>> = {}) {
  const publishers = await startPublishers(publications)
  const board = await openAdminBoard({ NEWS_SCHEDULE: 'true', NEWS_PRIVATE_ADDRESSES: 'true', ...settings })
  const admin = await enterAsAdmin(board)
  const [category] = await admin.send<Category[]>('GET', '/api/categories')
  for (const [index, { name, permission }] of publications.entries()) {
    const source: NewsSourceInput = {
      ...{ url: `${publishers.url}/${index}/feed.xml`, name, permission, categoryId: category!._id },
      ...{ language: 'ja', intervalMinutes: 30, active: true },
    }
    await admin.send('POST', '/api/admin/news/sources', source)
  }
  return {
    board,
    admin,
    /** The thread of such a summary, as soon as it is open. */
    thread: (kind: SummaryKind) =>
      until(async () => {
        const threads = await read<ThreadItem[]>(board, '/api/threads')
        return threads.find(({ summary }) => summary === kind)
      }),
    async close() {
      await board.close()
      await publishers.close()
    },
  }
}

const read = async <T>(board: Board, path: string): Promise<T> => (await (await fetch(board.url + path)).json()) as T

/** A host is asked every few seconds only. */
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
  /** Summarised by the model; two publishers told it. */
  readonly summarised: ThreadItem
  /** Its publisher allows the headline only. */
  readonly headline: ThreadItem
  /** Mends the summary's second sentence. */
  correct(text: string, note: string): Promise<void>
  close(): Promise<void>
}

/** A board with a language model, three publishers and the two threads that came of them. */
export async function openNewsRoom(): Promise<NewsRoom> {
  const model = await startModel()
  const settings = { LLM_BASE_URL: `${model.url}/v1`, LLM_MODEL: MODEL }
  const { board, admin, thread, close } = await openReadingBoard([TSUBAME, MINATO, SATOYAMA], settings)
  const [summarised, headline] = await Promise.all([thread('ai'), thread('headline')])
  await until(async () => {
    const { sources } = await read<ThreadSummary>(board, `/api/threads/${summarised._id}/summary`)
    return sources.length === 2 ? sources : undefined
  })
  return {
    ...{ board, admin, summarised, headline },
    async correct(text, note) {
      const { stories } = await admin.send<{ stories: NewsStory[] }>('GET', '/api/admin/news/stories')
      const story = stories.find(({ threadId }) => threadId === summarised._id)!
      const sentences = story.sentences.map((sentence, index) => (index === 1 ? text : sentence.text))
      await admin.send('POST', `/api/admin/news/stories/${story._id}/correct`, { title: story.title, sentences, note })
    },
    async close() {
      await close()
      await model.close()
    },
  }
}

/** A board without a language model, and the thread of what it cut out of an article. */
export async function openExtractBoard() {
  const { board, thread, close } = await openReadingBoard([TSUBAME])
  return { board, extract: await thread('extractive'), close }
}
