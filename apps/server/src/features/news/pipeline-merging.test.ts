/** Which articles become one story, by the address, by their words, and by an embedding model. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { EmbeddingBehaviour } from '@shinobi/newsroom/testing/outside/llm-server'
import { MATTERS, type Matter } from '@shinobi/newsroom/testing/outside/newspaper'
import { board, llm, openNewsroom, paper } from '../../testing/news/newsroom.ts'
import { articles, stories } from '../../testing/news/seen.ts'
import { addSource, announce, runLater } from '../../testing/news/work.ts'

const matter = (slug: string, title: string, ...paragraphs: string[]): Matter => ({ slug, title, paragraphs })
const PLAN = matter(
  'plan',
  '政府、半導体工場に1兆2000億円の支援を決定',
  '政府は21日、半導体の国内生産を後押しするため、総額1兆2000億円の支援策を決定した。北海道千歳市と熊本県菊陽町の工場が対象で、2027年度の量産開始を目指す。',
  '支援は3年間に分けて行い、進み具合を半年ごとに有識者会議が点検する。野党からは批判も出ている。',
)
const PLAN_RETOLD = matter(
  'plan-retold',
  '千歳と菊陽の工場に追加の資金　閣議で決まる',
  '国が半導体メーカーにさらに資金を出す。21日の閣議で決めた新しい補助は合わせて1兆2000億円に上り、工事が続く二つの工場に配られる。',
  '担当の閣僚は会見で、海外からの調達が止まる危険を挙げた。途中で計画が遅れれば減らすという。',
)
const quake = (slug: string, time: string): Matter =>
  matter(
    slug,
    '能登で震度4の地震　津波の心配なし',
    `21日${time}ごろ、石川県能登地方を震源とする地震があり、輪島市で震度4の揺れを観測しました。気象庁によりますと、震源の深さはおよそ10キロと推定されています。`,
    'この地震による津波の心配はありません。揺れの強かった地域では、落石や崖崩れなどの危険性が高まっているおそれがあります。',
  )

/** Of each test, because the board remembers the vectors of texts. */
let edition = ''
openNewsroom({ LLM_MODEL: 'writer', LLM_EMBEDDING_MODEL: 'embedding' })
beforeEach(() => {
  edition += '版'
})

const storyOf = (...titles: readonly string[]): string => titles.toSorted().join(' ＋ ')

/** Runs the news with these articles. @returns the titles of each story */
async function run(path: string, matters: readonly Matter[]): Promise<string[]> {
  for (const one of matters)
    paper.print({ ...one, paragraphs: [`${one.paragraphs[0]}（${edition}）`, ...one.paragraphs.slice(1)] })
  await addSource(announce(matters, paper, path))
  await runLater(0)
  return (await stories()).map(({ sources }) => storyOf(...sources.map(({ title }) => title))).toSorted()
}

/** A model for which all is alike that has a word in common. */
const byWord =
  (word: string) =>
  ({ input }: { readonly input: readonly string[] }): EmbeddingBehaviour =>
    input.map((text, at) => [text.includes(word) ? 1 : 0, 0.01 * at, text.includes(word) ? 0.1 : 1])
const calls = () =>
  board.database.db.selectFrom('newsCalls').select(['outcome', 'detail']).where('model', '=', 'embedding').execute()

describe('reports of one event in words of their own', () => {
  it('become one story, whether they are found together or one after the other', async () => {
    llm.embed(byWord('工場'))
    expect(await run('/feed', [PLAN, quake('quake', '午後1時3分')])).toHaveLength(2)
    expect(await run('/later', [PLAN_RETOLD])).toContain(storyOf(PLAN.title, PLAN_RETOLD.title))
    expect(await calls()).toMatchObject([{ outcome: 'ok' }, { outcome: 'ok' }])
  })

  it('become two stories while the endpoint is away, and lose nothing else', async () => {
    llm.embed(() => ({ status: 500 }))
    expect(await run('/feed', [PLAN, PLAN_RETOLD])).toEqual([PLAN.title, PLAN_RETOLD.title].toSorted())
    expect(await calls()).toMatchObject([{ outcome: 'failed' }])
    expect(await articles()).toMatchObject([{ problem: null }, { problem: null }])
  })
})

describe('reports of different events', () => {
  it('stay two stories though the model takes them for one, as an aftershock in the words of its quake', async () => {
    llm.embed(({ input }) => input.map(() => [1, 0]))
    const made = await run('/feed', [quake('quake', '午後1時3分'), quake('after', '午後1時41分')])
    expect(made).toHaveLength(2)
  })

  it('stay apart where a model finds all news alike; only what stands out is one story', async () => {
    const others = MATTERS.slice(0, 10)
    // Any two have a cosine of 0.9, and these two are the same.
    llm.embed(({ input }) =>
      input.map((text) => {
        const at = others.findIndex(({ title }) => text.startsWith(title)) + 2
        return Array.from({ length: 12 }, (_, axis) => (axis === 0 ? 3 : axis === at ? 1 : 0))
      }),
    )
    const made = await run('/feed', [...others, PLAN, PLAN_RETOLD])
    expect(made).toHaveLength(11)
    expect(made).toContain(storyOf(PLAN.title, PLAN_RETOLD.title))
  })
})

it('articles at variants of one address are one article, whatever the model says', async () => {
  llm.embed(({ input }) => input.map((_, at) => (at === 0 ? [1, 0] : [0, 1])))
  await run('/feed', [PLAN])
  expect(await run('/later', [{ ...PLAN, slug: 'plan/?ref=top' }])).toHaveLength(1)
})
