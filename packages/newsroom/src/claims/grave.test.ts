import { describe, expect, it } from 'vitest'
import type { ArticleDocument } from '../documents.ts'
import { MATTERS } from '../testing/outside/newspaper.ts'
import { checkSummary } from './checker.ts'

const toDocument = (text: string, title: string): ArticleDocument => ({
  url: 'https://news.example/1',
  canonicalUrl: 'https://news.example/1',
  title,
  site: null,
  publishedAt: '2026-11-10T03:00:00Z',
  language: null,
  imageUrl: null,
  text,
  suspicious: [],
})

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
    ['a crime of somebody who was named', '佐藤市長は人件費の不正で警察に逮捕された。', MAYOR, '「逮捕」「不正」'],
    ['a crime of somebody without a name', '担当者は人件費の不正で逮捕された。', COST, '「逮捕」「不正」'],
    ['a death', '開館時間の延長で利用者が事故死した。', HOURS, '「死」'],
    ['a death in other words', '開館時間の延長で利用者1人が亡くなった。', HOURS, '「亡くな」'],
    ['the end of a plan', '市は開館時間の延長を見送った。', HOURS, '「見送っ」'],
    ['the opposite of a wish', '利用者の6割が延長に反対した。', SURVEY, '「反対」'],
    [
      'an accident that the article wants to prevent',
      '図書館の人件費をめぐる事故で市長は警察に協力した。',
      MAYOR,
      '「事故」',
    ],
    ['an office that was given up', '佐藤市長は人件費をめぐり辞任した。', COST, '「辞任」'],
    ['the end of a library', '市は来年4月に市立中央図書館を閉鎖する。', HOURS, '「閉鎖」'],
    ['an illness', '図書館の利用者2300人が感染した。', SURVEY, '「感染」'],
    ['an insult to many', '佐藤市長は子どもへの差別を認めた。', MAYOR, '「差別」'],
  ])('is refused where the article does not have it: %s', (_, text, quote, words) => {
    expect(check(text, quote)).toContain(`3文目: 記事のその箇所にない重大な事柄があります（${words}`)
  })

  it('is refused in a title', () => {
    expect(check('人件費は3千万円に増える。', COST, LIBRARY, '港町市の佐藤市長を逮捕')).toMatch(/^見出し: .*「逮捕」/)
  })

  it('is accepted where the article states it about the same subject', () => {
    const vote = '市議会では賛成18人、反対5人で予算案が可決された'
    expect(check('市議会の採決では反対が5人だった。', vote)).toBe('')
    expect(check('港町市の予算案は、5人が反対したものの市議会を通った。', HOURS)).toBe('')
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
    ['死者', '死者は出なかった。', '運転手の男性は足を痛めたが、命に別条はない。'],
    ['負傷', '2人が負傷した。', '通行人の2人が腕の骨を折った。'],
    ['けが', '2人がけがをした。', '通行人の2人が軽傷を負った。'],
    ['逮捕', '男が逮捕された。', '署員が男を現行犯で取り押さえた。'],
    ['辞任', '会長が辞任する。', '会長は来月で職を退く意向を示した。'],
    ['解任', '理事会は会長を解任した。', '理事会は会長を辞めさせることを決めた。'],
    ['倒産', '老舗の旅館が倒産した。', '老舗の旅館が自己破産を申請した。'],
    ['中止', '花火大会は中止になった。', '雨のため花火大会は取りやめとなった。'],
    ['延期', '花火大会は延期される。', '雨のため花火大会は翌週に順延された。'],
    ['撤回', '町は値上げの方針を撤回した。', '町は値上げの方針を取り下げた。'],
    ['見送り', '町は値上げを見送った。', '町は値上げを先送りした。'],
    ['反対', '住民は建設に反対している。', '住民は建設に異議を唱えている。'],
    ['拒否', '町は要求を拒否した。', '町は要求に応じない考えを伝えた。'],
    ['否決', '議会は条例案を否決した。', '条例案は反対多数で退けられた。'],
    ['可決', '議会は条例案を可決した。', '条例案は賛成多数で成立した。'],
    ['横領', '元職員が会費を横領した。', '元職員が会費を着服していた。'],
    ['火災', '倉庫で火災があった。', '倉庫が燃えているのを住民が見つけた。'],
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

it('is found in none of a dozen good articles', () => {
  for (const { title, paragraphs } of MATTERS) {
    const document = toDocument(paragraphs.join('\n'), title)
    const sentences = paragraphs.map((quote) => ({ text: quote.split('。')[0]! + '。', quote: quote.slice(0, 60) }))
    expect(checkSummary(document, { title, sentences }).filter((finding) => finding.includes('重大'))).toEqual([])
  }
})

const CAT = toDocument(
  'The cat sat on the mat in the quiet garden while the neighbours watered their flowers and the children played with a ball near the old fence.',
  'A cat in a garden',
)
const CRIME = toDocument(
  `The mayor of the town resigned on Monday after police arrested two of her aides for taking bribes from a builder.
Three people were killed and five were injured in the fire that followed at the building site, officials said.
The council rejected the budget of the town, and the opening of the school was postponed to the next summer.`,
  'Mayor resigns over bribes',
)

describe('a grave matter in a summary of an article in another language', () => {
  const foreign = (document: ArticleDocument, text: string, quote: string) =>
    checkSummary(document, { title: '町の話題', sentences: [{ text, quote }] }).filter((finding) =>
      finding.includes('重大'),
    )

  it.each([
    '首相が収賄の疑いで逮捕された。',
    '内閣は総辞職し、首相は辞任した。',
    '銀行の口座は凍結され、店は閉鎖された。',
    '爆発で多くの人が死亡した。',
  ])('is refused when the English article has no word for it: %s', (text) => {
    expect(foreign(CAT, text, 'The cat sat on the mat in the quiet')).not.toEqual([])
  })

  it.each([
    ['町長は、側近が逮捕されたことを受けて辞任した。', 'The mayor of the town resigned on Monday'],
    ['側近は業者から賄賂を受け取った疑いがある。', 'for taking bribes from a builder'],
    ['火災で3人が死亡し、5人が負傷した。', 'Three people were killed and five were injured in the fire'],
    ['議会は予算案を否決し、学校の開校は延期された。', 'The council rejected the budget of the town'],
  ])('is accepted when the article has it: %s', (text, quote) => {
    expect(foreign(CRIME, text, quote)).toEqual([])
  })

  it('is not judged where words cannot be compared: a person reviews it', () => {
    const german = toDocument(
      'Der Bürgermeister ist am Montag zurückgetreten, nachdem die Polizei zwei Mitarbeiter verhaftet hatte.',
      'Rücktritt',
    )
    expect(foreign(german, '町長は側近の逮捕を受けて辞任した。', 'Der Bürgermeister ist am Montag')).toEqual([])
  })
})
