/** A model's words on named people, plans and numbers: published, held or refused, end to end. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { NewsStory, ThreadSummary } from '@shinobi/contract/news'
import type { ThreadItem } from '@shinobi/contract/threads'
import { startLlm, type LlmServer } from '@shinobi/newsroom/testing/outside/llm-server'
import { startNewspaper, type Matter, type Newspaper } from '@shinobi/newsroom/testing/outside/newspaper'
import { OBITUARY } from '../../testing/news-fixtures.ts'
import { openBoard, signUp, visit, type Board, type Guest, type MemberGuest } from '../../testing/board.ts'
import { addSource, forgetNews } from '../../testing/stories.ts'

const MINUTE = 60_000

let llm: LlmServer
let board: Board
let guest: Guest
let admin: MemberGuest
let paper: Newspaper
beforeAll(async () => {
  llm = await startLlm()
  board = await openBoard({
    ...{ NEWS_PRIVATE_ADDRESSES: 'true', LLM_BASE_URL: llm.url, LLM_MODEL: 'writer', LLM_VERIFIER_MODEL: 'verifier' },
  })
  guest = visit(board)
  admin = await signUp(board, '瓦版屋', { isAdmin: true })
})
beforeEach(async () => {
  llm.judge(() => 'supported')
  paper = await startNewspaper()
})
afterEach(async () => {
  await admin.put('/api/admin/settings', { newsRiskApproval: true })
  await paper.close()
  await forgetNews(board)
})
afterAll(async () => {
  await board.close()
  await llm.close()
})

type Sentences = readonly { readonly text: string; readonly quote: string }[]

/** Runs the news with one article and the model's answer to it. */
async function run(matter: Matter, title: string, sentences: Sentences): Promise<NewsStory> {
  llm.behave({ answer: JSON.stringify({ title, sentences }) })
  paper.print(matter)
  await addSource(board, { url: paper.announce('/feed', [matter], { newest: board.clock.now - MINUTE }) })
  await board.deps.news.run()
  await board.settle()
  const [story] = (await admin.get<{ stories: NewsStory[] }>('/api/admin/news/stories')).body.stories
  return story!
}

/** The sentences that stand on the board. */
async function published(): Promise<string[]> {
  const [item] = (await guest.get<ThreadItem[]>('/api/threads?limit=1')).body
  const { body } = await guest.get<ThreadSummary>(`/api/threads/${item!._id}/summary`)
  return body.sentences.map(({ text }) => text)
}

const [DEATH, WORKS, MOURNER] = [
  {
    text: '「灯の子」を作曲した三枝暁子さんが、肺炎のため92歳で亡くなった。',
    quote: '肺炎のため鎌倉市の病院で死去した',
  },
  { text: '作品はおよそ300曲にのぼり、140校余りの校歌も手がけた。', quote: '生涯に残した作品は約300曲に上り' },
  {
    text: '歌手の立花静香さんは「先生の歌には海の匂いがした」と別れを惜しんだ。',
    quote: '歌手の立花静香さんは「先生の歌には海の匂いがした」',
  },
]

const ROBBERY: Matter = {
  slug: 'robbery',
  title: 'コンビニ強盗の疑いで男を逮捕　容疑を否認',
  paragraphs: [
    '港町のコンビニに押し入って現金8万円を奪ったとして、県警は22日、無職の平田進容疑者を強盗の疑いで逮捕した。',
    '平田容疑者は「やっていない」と容疑を否認しているという。店員にけがはなかった。',
    '店の防犯カメラには、帽子をかぶった男が映っていた。県警は映像を調べている。',
  ],
}
const [ARREST, DENIAL, CAMERA] = [
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

describe('a false sentence about somebody who is named', () => {
  // The verifier lies too.
  it('is dropped though the verifier bears it out: a mourner is not dead', async () => {
    const lie = {
      text: '歌手の立花静香さんが肺炎のため鎌倉市の病院で死去した。',
      quote: '肺炎のため鎌倉市の病院で死去した',
    }
    await admin.put('/api/admin/settings', { newsRiskApproval: false })
    const story = await run(OBITUARY, '作曲家の三枝暁子さん死去', [lie, DEATH, WORKS, MOURNER])
    expect(story.state).toBe('published')
    expect(await published()).toEqual([DEATH.text, WORKS.text, MOURNER.text])
  })

  it('is refused in a title', async () => {
    const story = await run(OBITUARY, '歌手の立花静香さん死去', [DEATH, WORKS, MOURNER])
    expect(story).toMatchObject({ state: 'refused', problem: 'ungrounded' })
    expect(story.findings.join()).toContain('見出し: 記事のその箇所にない重大な事柄があります')
  })

  it('is dropped though the verifier bears it out: a suspect is not a robber', async () => {
    const lie = {
      text: '平田進容疑者がコンビニに押し入り、現金8万円を奪った。',
      quote: 'コンビニに押し入って現金8万円を奪ったとして',
    }
    await admin.put('/api/admin/settings', { newsRiskApproval: false })
    const story = await run(ROBBERY, 'コンビニ強盗の疑いで男を逮捕', [lie, ARREST, DENIAL, CAMERA])
    expect(story.state).toBe('published')
    expect(await published()).toEqual([ARREST.text, DENIAL.text, CAMERA.text])
  })
})

describe('a true summary about somebody who is named', () => {
  it.each([
    ['a death', OBITUARY, '作曲家の三枝暁子さん死去', [DEATH, WORKS, MOURNER]],
    ['an accusation', ROBBERY, 'コンビニ強盗の疑いで男を逮捕', [ARREST, DENIAL, CAMERA]],
  ])('waits for a person, who is told why: %s', async (_, matter, title, sentences) => {
    const story = await run(matter, title, sentences)
    expect(story).toMatchObject({ state: 'waiting', findings: [expect.stringContaining('名前のある人の重大な事柄')] })
    await admin.post(`/api/admin/news/stories/${story._id}/approve`)
    expect(await board.deps.news.run()).toMatchObject({ published: 1 })
  })
})

const LIBRARY: Matter = {
  slug: 'library',
  title: '中央図書館、夜9時まで開館へ',
  paragraphs: [
    '市は10日、中央図書館の閉館時刻を来年4月から午後6時から午後9時に延ばすと発表した。年間の利用者は50万人を見込む。',
    '仕事帰りに本を借りたいという声が、利用者への調査で多かった。',
    '増える人件費は3千万円と見込まれる。市は職員を新たに雇う方針だ。',
  ],
}
const GDP: Matter = {
  slug: 'gdp',
  title: '7〜9月期GDP、年率1.4%減　2四半期ぶりのマイナス',
  paragraphs: [
    '内閣府が２３日発表した７〜９月期の国内総生産（ＧＤＰ、季節調整済み）速報値は、実質で前期比０・４％減、年率換算で１・４％減だった。マイナス成長は２四半期ぶり。',
    '個人消費は前期比０・２％増と、３四半期続けてプラスだった。設備投資は０・７％減。半導体製造装置への投資が一服した。',
    '輸出は１・２％減、輸入は０・１％増だった。米国の関税措置の影響で自動車の輸出が減ったとみられる。',
  ],
}

describe('an honest paraphrase', () => {
  it.each<[string, Matter, string, Sentences]>([
    [
      'of opening hours',
      LIBRARY,
      '中央図書館、来年4月から夜間も開館',
      [
        { text: '中央図書館は来年4月から21時まで開く。', quote: '来年4月から午後6時から午後9時に延ばす' },
        { text: '市は1年に50万人が利用すると見込んでいる。', quote: '年間の利用者は50万人を見込む' },
        {
          text: '人件費は3000万円増える見通しで、市は職員を新しく雇う方針。',
          quote: '増える人件費は3千万円と見込まれる',
        },
      ],
    ],
    [
      'of figures in newspaper notation',
      GDP,
      '7〜9月期GDP、年率1.4%のマイナス',
      [
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
      ],
    ],
  ])('is published at the first try: %s', async (_, matter, title, sentences) => {
    const asked = llm.requests.length
    expect((await run(matter, title, sentences)).state).toBe('published')
    expect(await published()).toEqual(sentences.map(({ text }) => text))
    expect(llm.requests).toHaveLength(asked + 1)
  })
})

describe('a verifier that is away', () => {
  const title = '中央図書館、来年4月から夜間も開館'
  const sentences = [
    { text: '中央図書館は来年4月から21時まで開く。', quote: '来年4月から午後6時から午後9時に延ばす' },
    { text: '市は1年に50万人が利用すると見込んでいる。', quote: '年間の利用者は50万人を見込む' },
    { text: '利用者への調査では、仕事の後に借りたい人が多かった。', quote: '仕事帰りに本を借りたいという声が' },
  ]

  it('publishes nothing, and an administrator reads why the story waits', async () => {
    llm.judge(() => ({ status: 500, message: 'out of memory' }))
    const story = await run(LIBRARY, title, sentences)
    expect(story).toMatchObject({
      state: 'waiting',
      findings: [expect.stringMatching(/^検証できませんでした（500 out of memory）/)],
    })
    await admin.post(`/api/admin/news/stories/${story._id}/approve`)
    expect(await board.deps.news.run()).toMatchObject({ published: 1 })
  })
})
