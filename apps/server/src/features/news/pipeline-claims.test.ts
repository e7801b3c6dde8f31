/** A model's words on named people, plans and numbers: published, held or refused, end to end. */
import { describe, expect, it } from 'vitest'
import type { NewsStory } from '@shinobi/contract/news'
import type { Matter } from '@shinobi/newsroom/testing/outside/newspaper'
import { OBITUARY, OBITUARY_TOLD, OBITUARY_LIE } from '../../testing/news/matters.ts'
import { change, llm, openNewsroom } from '../../testing/news/newsroom.ts'
import { onlyStory, summaryOf } from '../../testing/news/seen.ts'
import { addSource, approve, publish, runLater } from '../../testing/news/work.ts'

openNewsroom({ LLM_MODEL: 'writer', LLM_VERIFIER_MODEL: 'verifier' })

type Sentences = readonly { readonly text: string; readonly quote: string }[]

/** Runs the news with one article and the model's answer to it. */
async function run(matter: Matter, title: string, sentences: Sentences): Promise<NewsStory> {
  llm.behave({ answer: JSON.stringify({ title, sentences }) })
  await addSource(publish([matter]))
  await runLater(0)
  return onlyStory()
}

/** The sentences that stand on the board. */
const published = async (): Promise<string[]> => (await summaryOf()).sentences.map(({ text }) => text)

const ROBBERY: Matter = {
  slug: 'robbery',
  title: 'コンビニ強盗の疑いで男を逮捕　容疑を否認',
  paragraphs: [
    '港町のコンビニに押し入って現金8万円を奪ったとして、県警は22日、無職の平田進容疑者を強盗の疑いで逮捕した。',
    '平田容疑者は「やっていない」と容疑を否認しているという。店員にけがはなかった。',
    '店の防犯カメラには、帽子をかぶった男が映っていた。県警は映像を調べている。',
  ],
}
const ROBBERY_TOLD = [
  {
    text: '県警は22日、強盗の疑いで平田進容疑者を逮捕した。',
    quote: '県警は22日、無職の平田進容疑者を強盗の疑いで逮捕した',
  },
  { text: '平田容疑者は容疑を否認している。', quote: '平田容疑者は「やっていない」と容疑を否認しているという' },
  {
    text: '店の防犯カメラには帽子の男が映り、県警が映像を調べている。',
    quote: '店の防犯カメラには、帽子をかぶった男が映っていた',
  },
]
const ROBBERY_LIE = {
  text: '平田進容疑者がコンビニに押し入り、現金8万円を奪った。',
  quote: 'コンビニに押し入って現金8万円を奪ったとして',
}
const [DEATH, ARREST] = ['作曲家の三枝暁子さん死去', 'コンビニ強盗の疑いで男を逮捕']

describe('a false sentence about somebody who is named', () => {
  // The verifier lies too.
  it.each([
    ['a mourner is not dead', OBITUARY, DEATH, OBITUARY_LIE, OBITUARY_TOLD],
    ['a suspect is not a robber', ROBBERY, ARREST, ROBBERY_LIE, ROBBERY_TOLD],
  ])('is dropped though the verifier bears it out: %s', async (_, matter, title, lie, told) => {
    await change({ newsRiskApproval: false })
    expect(await run(matter, title, [lie, ...told])).toMatchObject({ state: 'published' })
    expect(await published()).toEqual(told.map(({ text }) => text))
  })

  it('is refused in a title', async () => {
    const story = await run(OBITUARY, '歌手の立花静香さん死去', OBITUARY_TOLD)
    expect(story).toMatchObject({ state: 'refused', problem: 'ungrounded' })
    expect(story.findings.join()).toContain('見出し: 記事のその箇所にない重大な事柄があります')
  })
})

describe('a true summary about somebody who is named', () => {
  it.each([
    ['a death', OBITUARY, DEATH, OBITUARY_TOLD],
    ['an accusation', ROBBERY, ARREST, ROBBERY_TOLD],
  ])('waits for a person, who is told why: %s', async (_, matter, title, told) => {
    const story = await run(matter, title, told)
    expect(story).toMatchObject({ state: 'waiting', findings: [expect.stringContaining('名前のある人の重大な事柄')] })
    expect(await approve(story)).toMatchObject({ published: 1 })
  })
})

const HOURS: Matter = {
  slug: 'library',
  title: '中央図書館、夜9時まで開館へ',
  paragraphs: [
    '市は10日、中央図書館の閉館時刻を来年4月から午後6時から午後9時に延ばすと発表した。年間の利用者は50万人を見込む。',
    '仕事帰りに本を借りたいという声が、利用者への調査で多かった。',
    '増える人件費は3千万円と見込まれる。市は職員を新たに雇う方針だ。',
  ],
}
const HOURS_TOLD = [
  { text: '中央図書館は来年4月から21時まで開く。', quote: '来年4月から午後6時から午後9時に延ばす' },
  { text: '市は1年に50万人が利用すると見込んでいる。', quote: '年間の利用者は50万人を見込む' },
  { text: '人件費は3000万円増える見通しで、市は職員を新しく雇う方針。', quote: '増える人件費は3千万円と見込まれる' },
]
const LATE = '中央図書館、来年4月から夜間も開館'
const GDP: Matter = {
  slug: 'gdp',
  title: '7〜9月期GDP、年率1.4%減　2四半期ぶりのマイナス',
  paragraphs: [
    '内閣府が２３日発表した７〜９月期の国内総生産（ＧＤＰ、季節調整済み）速報値は、実質で前期比０・４％減、年率換算で１・４％減だった。マイナス成長は２四半期ぶり。',
    '個人消費は前期比０・２％増と、３四半期続けてプラスだった。設備投資は０・７％減。半導体製造装置への投資が一服した。',
    '輸出は１・２％減、輸入は０・１％増だった。米国の関税措置の影響で自動車の輸出が減ったとみられる。',
  ],
}
const GDP_TOLD = [
  {
    text: '7〜9月期の実質GDPの速報値は年率に直すと1.4%減り、2四半期ぶりに縮小した。',
    quote: '実質で前期比０・４％減、年率換算で１・４％減だった',
  },
  {
    text: '個人消費は0.2%の伸びで、プラスは3四半期続いた。',
    quote: '個人消費は前期比０・２％増と、３四半期続けてプラスだった',
  },
  {
    text: '輸出は米国の関税で自動車が減ったとみられ、1.2%のマイナスとなった。',
    quote: '輸出は１・２％減、輸入は０・１％増だった',
  },
]

describe('an honest paraphrase', () => {
  it.each([
    ['of opening hours', HOURS, LATE, HOURS_TOLD],
    ['of figures in newspaper notation', GDP, '7〜9月期GDP、年率1.4%のマイナス', GDP_TOLD],
  ])('is published at the first try: %s', async (_, matter, title, told) => {
    const asked = llm.requests.length
    expect((await run(matter, title, told)).state).toBe('published')
    expect(await published()).toEqual(told.map(({ text }) => text))
    expect(llm.requests).toHaveLength(asked + 1)
  })
})

describe('a verifier that is away', () => {
  it('publishes nothing, and an administrator reads why the story waits', async () => {
    llm.judge(() => ({ status: 500, message: 'out of memory' }))
    // A claim without an earlier verdict.
    const fresh = { text: '調査では、仕事の後に借りたい人が多かった。', quote: '仕事帰りに本を借りたいという声が' }
    const story = await run(HOURS, LATE, [...HOURS_TOLD.slice(0, 2), fresh])
    const findings = [expect.stringMatching(/^検証できませんでした（500 out of memory）/)]
    expect(story).toMatchObject({ state: 'waiting', findings })
    expect(await approve(story)).toMatchObject({ published: 1 })
  })
})
