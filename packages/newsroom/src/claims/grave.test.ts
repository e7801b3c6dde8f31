import { describe, expect, it } from 'vitest'
import { articleOf } from '../testing/articles.ts'
import { checkSummary } from './checker.ts'
import { findRisks } from './grave.ts'

const toDocument = (text: string, title: string) => articleOf(text, { title, publishedAt: '2026-11-10T03:00:00Z' })

const LIBRARY = toDocument(
  `港町市は10日、市立中央図書館の開館時間を来年4月から午後10時まで延ばすと発表した。これまでは午後7時に閉まっていた。
仕事帰りに本を借りたいという声が利用者への調査で多かったという。調査には2300人が答え、6割が延長を望んでいた。
増える人件費は年間3千万円と見込まれる。佐藤市長は記者会見で「子どもから大人まで使える場所にしたい」と話した。
市議会では賛成18人、反対5人で予算案が可決された。警察は事故の防止に協力する。`,
  '中央図書館、来年4月から夜10時まで開館へ',
)
const HOURS = '市立中央図書館の開館時間を来年4月から午後10時まで延ばす'
const SURVEY = '調査には2300人が答え、6割が延長を望んでいた'
const COST = '増える人件費は年間3千万円と見込まれる'
const MAYOR = '佐藤市長は記者会見で「子どもから大人まで使える場所にしたい」と話した'

const check = (text: string, quote: string, document = LIBRARY, title = '中央図書館が夜間開館へ') =>
  checkSummary(document, {
    title,
    sentences: [
      { text: '市立中央図書館は来年4月から夜10時まで開く。', quote: HOURS },
      { text: '調査では2300人のうち6割が延長を望んだ。', quote: SURVEY },
      { text, quote },
    ],
  }).join()

describe('a grave matter that the article does not have', () => {
  it.each([
    ['a crime of somebody who was named', '佐藤市長は人件費の不正で警察に逮捕された。', MAYOR, '「逮捕」'],
    ['a crime of somebody without a name', '担当者は人件費の不正で逮捕された。', COST, '「逮捕」'],
    ['a death', '開館時間の延長で利用者が事故死した。', HOURS, '「死」'],
    ['a death in other words', '開館時間の延長で利用者1人が亡くなった。', HOURS, '「亡くな」'],
    ['an illness', '図書館の利用者2300人が感染した。', SURVEY, '「感染」'],
  ])('is refused where the article does not have it: %s', (_, text, quote, words) => {
    expect(check(text, quote)).toContain(`3文目: 記事のその箇所にない重大な事柄があります（${words}`)
  })

  it('is refused in a title', () => {
    expect(check('人件費は3千万円に増える。', COST, LIBRARY, '港町市の佐藤市長を逮捕')).toMatch(/^見出し: .*「逮捕」/)
  })

  it('is accepted where it is said not to have happened', () => {
    expect(check('開館時間の延長で死者は出ていない。', HOURS)).toBe('')
  })

  it('is accepted in somebody’s own words', () => {
    const words = '佐藤市長は「反対の声にも死角なく耳を傾ける」と話した。'
    const document = { ...LIBRARY, text: `${LIBRARY.text}\n${words}` }
    expect(check('佐藤市長は「反対の声にも死角なく耳を傾ける」と述べた。', words, document)).toBe('')
  })

  it('is not found in words that only look grave', () => {
    expect(check('図書館には必死に働く人の利用が殺到し、延長を望んだ。', SURVEY)).not.toContain('重大')
  })
})

const told = (text: string, quote: string, article: string) => {
  const fill = 'このほか町では来週、花の展示や音楽の催しが開かれる見通しだという。'
  const document = toDocument(`${fill}\n${article}\n${fill}`, '町の話題')
  return checkSummary(document, { title: '町の話題', sentences: [{ text, quote }] }).filter((finding) =>
    finding.includes('重大'),
  )
}

describe('the same matter in another word', () => {
  it.each([
    ['死亡', '男性は死亡した。', '男性は搬送先の病院で亡くなった。'],
    ['死去', '画家の男性が死去した。', '画家の男性は9日、老衰のため他界した。'],
    ['負傷', '2人が負傷した。', '通行人の2人が腕の骨を折った。'],
    ['けが', '2人がけがをした。', '通行人の2人が軽傷を負った。'],
    ['逮捕', '男が逮捕された。', '署員が男を現行犯で取り押さえた。'],
    ['横領', '元職員が会費を横領した。', '元職員が会費を着服していた。'],
    ['詐欺', '高齢者が詐欺に遭った。', '高齢者が現金をだまし取られた。'],
  ])('supports it: %s', (_, text, article) => {
    expect(told(text, article, article)).toEqual([])
    expect(told(text, '花の展示や音楽の催しが開かれる', '町長は来月、隣の町の祭りを視察する予定だ。')).not.toEqual([])
  })

  it('is found where the article states the opposite', () => {
    const dropped = '地検は男性を不起訴とした。'
    expect(told('地検は男性を起訴した。', dropped, dropped)).not.toEqual([])
    const cleared = '地裁は男性に無罪を言い渡した。'
    expect(told('地裁は男性に有罪を言い渡した。', cleared, cleared)).not.toEqual([])
  })
})

describe('a grave matter of a person who is named', () => {
  const FIRE = toDocument(
    `港町で9日夜、民家が燃え、住人の岸本和子さんが死亡した。隣に住む野口健一さんは腕にけがをしたが、命に別条はない。
警察は、放火の疑いで無職の平田進容疑者を逮捕した。平田容疑者は岸本さんの知人だった。
町内会長の森川茂さんは「優しい人だった」と話した。`,
    '港町で民家火災、住人が死亡',
  )
  const judge = (text: string, quote: string) => check(text, quote, FIRE).includes('重大')
  const [first, arrest, words] = [
    '住人の岸本和子さんが死亡した',
    '放火の疑いで無職の平田進容疑者を逮捕した',
    '町内会長の森川茂さんは',
  ]

  it.each([
    ['隣に住む野口健一さんが死亡した。', '隣に住む野口健一さんは腕にけがをした'],
    ['町内会長の森川茂さんが死亡した。', words],
    ['警察は野口健一さんを放火の疑いで逮捕した。', arrest],
  ])('is refused where the article says it of another: %s', (text, quote) => {
    expect(judge(text, quote)).toBe(true)
  })

  it.each([
    ['住人の岸本和子さんが死亡した。', first],
    ['野口健一さんは負傷したが、死者は1人だった。', '隣に住む野口健一さんは腕にけがをした'],
    ['警察は平田進容疑者を放火の疑いで逮捕した。', arrest],
  ])('is accepted where the article says it of the same: %s', (text, quote) => {
    expect(judge(text, quote)).toBe(false)
  })
})

describe('a grave matter of an office-holder whom no dictionary knows', () => {
  const OBITUARY = toDocument(
    `ベルカ国のナダル元首相が９日、肺炎のため首都の病院で死去した。８８歳だった。
ナダル氏は首相を２期務めた。オルド外相は「父のような人だった」としのんだ。国葬は来月に営まれる。`,
    'ナダル元首相が死去　ベルカ国',
  )
  const judge = (text: string, quote: string) =>
    check(text, quote, OBITUARY).includes('3文目: 記事のその箇所にない重大')

  it('is refused where the article says it of another', () => {
    expect(judge('ベルカ国のオルド外相が首都の病院で死去した。', 'オルド外相は「父のような人だった」')).toBe(true)
    expect(judge('ナダル元首相はがんのため死去した。', '首都の病院で死去した')).toBe(true)
    expect(judge('ベルカ国のナダル元首相が亡くなった。', '首都の病院で死去した')).toBe(false)
  })

  it.each([
    'ベルカ国のオルド外相が死去',
    'ナダル元首相が入院',
    'マクロン仏大統領が倒れる',
    '習近平国家主席が病気に',
    'トランプ前大統領が有罪に',
    'ハメネイ師が死亡',
    '凪原知事が脱税か',
    '佐藤健一さんを書類送検',
  ])('waits for a person: %s', (title) => {
    expect(findRisks({ title, sentences: [] })).not.toEqual([])
  })

  it('is none of a calm sentence', () => {
    expect(findRisks({ title: 'オルド外相が病院を視察', sentences: [] })).toEqual([])
  })
})
