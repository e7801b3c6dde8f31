/**
 * A day of news on a running board: publishers, models and verifiers that err in every known way,
 * all together.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEWS_PROBLEMS } from '@shinobi/contract/news-labels'
import type { NewsArticle, NewsSource, ThreadSummary } from '@shinobi/contract/news'
import type { ThreadItem } from '@shinobi/contract/threads'
import type { LlmBehaviour } from '@shinobi/newsroom/testing/outside/llm-server'
import { pageOf, startNewspaper, type Matter, type Newspaper } from '@shinobi/newsroom/testing/outside/newspaper'
import type { Route } from '@shinobi/newsroom/testing/outside/publishers'
import { BEAR, CHIP, COMET, CORAL, CORRECTED, FERRY, FLU, HOUR, LIBRARY, MANGA } from '../../testing/news/matters.ts'
import { OBITUARY, OBITUARY_LIE, OBITUARY_TOLD, ORDER, RAIL, RUGBY, TEA, VIOLIN } from '../../testing/news/matters.ts'
import { admin, board, guest, llm, openNewsroom } from '../../testing/news/newsroom.ts'
import { status, stories } from '../../testing/news/seen.ts'
import { addSource, decide, runLater } from '../../testing/news/work.ts'

/** A day, until the story is given up at which the model fails each time. */
const LAST_HOUR = 28
/** The model kills the mourner as well. */
const OBITUARY_ANSWER = JSON.stringify({
  title: '作曲家の三枝暁子さん死去、92歳',
  sentences: [...OBITUARY_TOLD, OBITUARY_LIE],
})

/** What the models of this day invent. */
const LIES = /9876|7654万|4321人|北大西洋|立花静香さんが[^。]*(?:死去|亡くな)/u

/** The model's behaviour by words of the article. */
const BEHAVIOURS: readonly (readonly [string, LlmBehaviour])[] = [
  [RUGBY.title, 'one_invented'],
  [BEAR.title, 'invented'],
  [VIOLIN.title, 'misquoted'],
  [RAIL.title, 'prose'],
  [CHIP.title, { status: 500 }],
  ['三枝暁子', { answer: OBITUARY_ANSWER }],
]

/** Pages under a plausible title that are no article, and why. */
const WALLS = [
  ['消えた記事', 'お探しのページは見つかりませんでした。アドレスをご確認ください。', 'gone'],
  [
    '市の予算案まとまる',
    'ただいまメンテナンス中のため、一時的に表示を停止しています。ご迷惑をおかけします。',
    'unavailable',
  ],
  [
    '駅前に新しい広場',
    '当サイトでは、より良いサービスをお届けするためにCookieを使用しています。閲覧を続けると、Cookieの利用に同意したことになります。設定はプライバシーポリシーのページからいつでも変更できます。',
    'no_text',
  ],
  [
    '市長、図書館の移転を表明',
    '続きを読むには会員登録が必要です。ログインすると、すべての記事をご覧になれます。',
    'no_article',
  ],
  [
    '【PR】話題の新製品を試してみた',
    '使い始めて一週間で、違いに驚いた。店には朝から列ができ、午後には売り切れた。',
    'no_article',
  ],
] as const

const parkOf = (name: string): Matter => ({
  slug: encodeURIComponent(name),
  title: `${name}、公園に桜30本`,
  paragraphs: [
    `${name}は22日、町の公園に桜を30本植えると発表した。苗木は来月届く。`,
    '植える場所は住民の投票で決める。投票には去年の2倍の人が加わった。',
    '費用は寄付でまかなう。町は来年の春に花見の会を開く予定だ。',
  ],
})
/** True articles whose publisher refuses, by headers or in the head of the page. */
const REFUSALS: readonly (readonly [Matter, Readonly<Record<string, string>>, string])[] = [
  [parkOf('北町'), { 'x-robots-tag': 'noai' }, ''],
  [parkOf('南町'), { 'content-usage': 'train-ai=n' }, ''],
  [parkOf('西町'), {}, '<meta name="robots" content="max-snippet:10">'],
  [
    parkOf('東町'),
    {},
    '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
  ],
]

/** An endless page: another article follows the one in the feed. */
const ENDLESS = {
  slug: 'endless',
  title: '大橋の塗り替え、3年ぶりに完了',
  paragraphs: [
    '港の入り口に架かる大橋の塗り替えが終わり、足場がすべて外された。作業は3年に及んだ。',
    '使った塗料は120トンで、色は住民への調査で最も多かった空色になった。けが人は出なかった。',
    '次の塗り替えは20年後の見込みだ。市は来月から夜の照明も増やすという。',
  ],
}
const NEXT_ARTICLE = '<article><h1>別の記事</h1><p>遠い国の大統領が9876人の記者を前に辞任を表明した。</p></article>'

/** It speaks to machines. */
const ORDERING = {
  slug: 'ordering',
  title: '朝市の出店、過去最多の80店に',
  paragraphs: [
    '海辺で開かれる朝市に80店が並び、過去最多になった。地元の漁師が持ち寄る干物や、畑でとれた野菜が人気を集めた。',
    ORDER,
    '訪れた人は2千人を超えた。主催者は来年に向けて駐車場を広げる方針だ。空き地を借りる話し合いを始めている。',
  ],
}

openNewsroom({ LLM_MODEL: 'writer', LLM_VERIFIER_MODEL: 'verifier' }, { isKept: true })
const papers = new Map<string, Newspaper>()
/** Articles in the feeds, by the name of their publisher. */
const told: { readonly name: string; readonly matter: Matter }[] = []
let isModelAway = false
let isVerifierAway = false
const pauses = new Set<string | undefined>()

/** Serves an article of a publisher, which is in its feed from now on. */
function print(name: string, matter: Matter, route: Route = { body: pageOf(matter) }): void {
  const paper = papers.get(name)!
  paper.set(`/articles/${matter.slug}`, route)
  told.push({ name, matter })
  const listed = told.filter((one) => one.name === name).map((one) => one.matter)
  paper.announce('/feed', listed.toReversed(), { newest: board.clock.now })
}

/** What happens at each hour of the day. */
const EVENTS: Readonly<Record<number, () => void>> = {
  0: () => {
    for (const one of [LIBRARY, FERRY, COMET, TEA, RUGBY, BEAR, VIOLIN, RAIL]) print('忍日報', one)
    for (const [index, [title, text]] of WALLS.entries()) {
      print('港新聞', { slug: `wall-${index}`, title, paragraphs: [text] })
    }
    for (const [matter, headers, head] of REFUSALS) print('町新聞', matter, { headers, body: pageOf(matter, { head }) })
    papers.get('壊新聞')!.set('/feed', { status: 500, body: 'broken' })
  },
  1: () => {
    print('怪新聞', ENDLESS, { body: pageOf(ENDLESS).replace('</main>', `${NEXT_ARTICLE}</main>`) })
    print('怪新聞', ORDERING)
    print('忍日報', OBITUARY)
    // One article at which the model fails each time: the others must not starve.
    print('忍日報', CHIP)
  },
  3: () => {
    const paper = papers.get('忍日報')!
    paper.set('/articles/library', { body: pageOf(CORRECTED) })
    paper.set('/articles/ferry', { headers: { 'x-robots-tag': 'noai' }, body: pageOf(FERRY) })
    paper.set('/articles/tea', { status: 410, body: 'gone' })
    paper.set('/articles/comet', { body: pageOf({ ...COMET, title: '彗星は崩壊か、天文台が予測を撤回' }) })
  },
  8: () => void (isModelAway = true),
  9: () => {
    for (const one of [CORAL, FLU]) print('忍日報', one)
  },
  11: () => void (isModelAway = false),
  14: () => {
    isVerifierAway = true
    print('忍日報', MANGA)
  },
  16: () => void (isVerifierAway = false),
}

beforeAll(async () => {
  llm.behave((request) => {
    if (isModelAway) return { status: 503 }
    return BEHAVIOURS.find(([words]) => request.prompt.includes(words))?.[1] ?? 'honest'
  })
  // It lies: whatever it is asked is supported.
  llm.judge(() => (isVerifierAway ? { status: 503, message: 'out of memory' } : 'supported'))
  for (const name of ['忍日報', '港新聞', '町新聞', '怪新聞', '壊新聞']) {
    const paper = await startNewspaper()
    papers.set(name, paper)
    await addSource(paper.announce('/feed', [], { newest: null }), { name })
  }
  for (let hour = 0; hour <= LAST_HOUR; hour += 0.5) {
    EVENTS[hour]?.()
    await runLater(HOUR / 2)
    if (isModelAway) pauses.add((await status()).paused?.cause)
  }
}, 120_000)
afterAll(async () => {
  for (const paper of papers.values()) await paper.close()
})

/** The news threads that readers see, by the title of their article. */
async function listStanding() {
  const { body } = await guest.get<ThreadItem[]>('/api/threads?limit=100')
  const standing = new Map<string, { readonly item: ThreadItem; readonly summary: ThreadSummary }>()
  for (const item of body.filter(({ summary }) => summary !== null)) {
    const { body: summary } = await guest.get<ThreadSummary>(`/api/threads/${item._id}/summary`)
    standing.set(summary.sources[0]!.title, { item, summary })
  }
  return standing
}

describe('after a day of news with publishers and models that err in every way', () => {
  it('leaves nothing false on the board, and marks what has become false', async () => {
    const standing = await listStanding()
    for (const { item, summary } of standing.values()) {
      expect([item.title, ...summary.sentences.map(({ text }) => text)].join('\n')).not.toMatch(LIES)
      expect(summary.sentences.length).toBeGreaterThanOrEqual(2)
    }
    for (const [title] of WALLS) expect([...standing.keys()]).not.toContain(title)
    for (const [{ title }] of REFUSALS) expect([...standing.keys()]).not.toContain(title)
    expect(Object.fromEntries([...standing].map(([title, { summary }]) => [title, summary.state]))).toMatchObject({
      ...{ [LIBRARY.title]: 'corrected', [FERRY.title]: 'opted_out', [TEA.title]: 'gone', [COMET.title]: 'stale' },
      ...{ [RUGBY.title]: 'current', [ENDLESS.title]: 'current', [CORAL.title]: 'current', [FLU.title]: 'current' },
    })
  })

  it('publishes what is honest within the day, or tells a person what to look at', async () => {
    const stateOf = new Map((await stories()).map((story) => [story.sources[0]!.title, story]))
    const standing = [LIBRARY, FERRY, TEA, COMET, RUGBY, ENDLESS, CORAL, FLU]
    for (const { title } of standing) expect([title, stateOf.get(title)?.state]).toEqual([title, 'published'])
    // A death, orders to machines, and a summary that nobody could verify.
    const waiting = [OBITUARY, ORDERING, MANGA]
    expect(stateOf.get(ORDERING.title)!.suspicious).toEqual([ORDER])
    expect(stateOf.get(MANGA.title)!.findings.join()).toMatch(/^検証できませんでした（503 out of memory）/)
    for (const { title } of waiting) {
      const story = stateOf.get(title)!
      expect([title, story.state]).toEqual([title, 'waiting'])
      expect([title, story.findings.length + story.suspicious.length]).not.toEqual([title, 0])
      expect((await decide(story, 'approve')).status).toBe(200)
    }
    await runLater(HOUR / 2)
    const now = await listStanding()
    for (const { title } of waiting) expect([...now.keys()]).toContain(title)
    const { summary } = now.get(OBITUARY.title)!
    expect(summary.sentences.map(({ text }) => text).join('\n')).not.toMatch(LIES)
    // None of the others is left in between.
    const states = (await stories()).map(({ state }) => state)
    expect(states).not.toContain('new')
    expect(states).not.toContain('ready')
  })

  it('explains everything at the desk: each article, each story that does not stand, each source that fails', async () => {
    const { body } = await admin.get<{ articles: NewsArticle[] }>('/api/admin/news/articles?limit=100')
    const articles = new Map(body.articles.map((article) => [article.title, article]))
    for (const { title } of told.map(({ matter }) => matter))
      expect([title, articles.get(title)?.state]).toEqual([title, expect.stringMatching(/^(?:told|skipped)$/)])
    for (const [title, , problem] of WALLS) expect(articles.get(title)).toMatchObject({ state: 'skipped', problem })
    for (const [{ title }] of REFUSALS) {
      expect(articles.get(title)).toMatchObject({ state: 'skipped', problem: 'opt_out' })
    }
    const fallen = await stories('refused')
    expect(fallen.map(({ sources }) => sources[0]!.title).toSorted()).toEqual(
      [BEAR, VIOLIN, RAIL, CHIP].map(({ title }) => title).toSorted(),
    )
    expect(fallen.find(({ sources }) => sources[0]!.title === CHIP.title)!.problem).toBe('model_failed')
    // It stepped aside for the others: there were 54 runs.
    expect(llm.requests.filter(({ prompt }) => prompt.includes(CHIP.title))).toHaveLength(14)
    for (const { problem, findings } of fallen) {
      expect(Object.keys(NEWS_PROBLEMS)).toContain(problem)
      if (problem === 'ungrounded') expect(findings.length).toBeGreaterThan(0)
    }
    const { body: sources } = await admin.get<NewsSource[]>('/api/admin/news/sources')
    expect(sources.filter(({ problem }) => problem !== null)).toMatchObject([
      { name: '壊新聞', problem: 'http_error', threads: 0 },
    ])
    expect(sources.find(({ problem }) => problem !== null)!.failures).toBeGreaterThan(1)
    // While the model was away, the desk said that it was left alone.
    expect([...pauses]).toContain('failures')
    expect((await status()).changed).toBe(4)
  })
})
