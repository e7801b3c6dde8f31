/** A model's words on named people, plans and numbers: published, held or refused, end to end. */
import { describe, expect, it } from 'vitest'
import type { NewsStory } from '@shinobi/contract/news'
import { readCorpus } from '@shinobi/newsroom/testing/corpus/corpus'
import type { Matter } from '@shinobi/newsroom/testing/outside/newspaper'
import { LIBRARY, OBITUARY, OBITUARY_TOLD, OBITUARY_LIE } from '../../testing/news/matters.ts'
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

const LIBRARY_TOLD = [
  { text: '中央図書館は来年4月から22時まで開く。', quote: '開館時間を来年4月から午後10時まで延ばす' },
  { text: '人件費は1年に3000万円増える見通し。', quote: '増える人件費は年間3千万円と見込まれる' },
  { text: '調査では2300人の6割が延長を望んだ。', quote: '調査には2300人が答え、6割が延長を望んでいた' },
]
/** Of the article on a GDP report, with its honest title and sentences. */
const { document, summary: GDP_TOLD } = readCorpus().find(({ at, text }) => at === null && text.includes('GDP'))!
const GDP: Matter = { slug: 'gdp', title: document.title, paragraphs: document.text.split('\n') }

describe('an honest paraphrase', () => {
  it.each([
    ['of opening hours', LIBRARY, '中央図書館、来年4月から夜間も開館', LIBRARY_TOLD],
    ['of figures in newspaper notation', GDP, GDP_TOLD.title, GDP_TOLD.sentences.slice(0, 4)],
  ])('is published at the first try: %s', async (_, matter, title, told) => {
    const asked = llm.requests.length
    expect((await run(matter, title, told)).state).toBe('published')
    expect(await published()).toEqual(told.map(({ text }) => text))
    expect(llm.requests).toHaveLength(asked + 1)
  })
})
