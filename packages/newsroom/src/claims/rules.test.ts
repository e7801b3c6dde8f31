/** What each rule finds, and what it lets pass. The shared corpus is in corpus.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { articleOf } from '../testing/articles.ts'
import { checkSummary } from './checker.ts'

const TEXT = `海辺市は5日、市営プールの利用料を来年度から2割引き下げると発表した。利用者は昨年度4万人で、前の年度より8％減っていた。
大人の料金は500円から400円に、子どもの料金は250円から200円になる。三田村副市長は記者会見で「泳ぐ人を増やしたい」と述べた。
屋根の張り替えは見送る。費用が当初の見積もりを上回ったためだ。工事の時期は決まっていない。
監視員の不足で、夏の夜間営業を取りやめる可能性がある。市は10月にも募集を始める方針。
市議会では3日、値下げに反対する会派が「財源を示すべきだ」と批判した。水質の検査で異常は見つからなかった。
北部の町にある別のプールは、県内で最も古い。海辺署は、プールの売店から現金5万円を盗んだとして、元店員の沢木亮容疑者を窃盗の疑いで逮捕した。`

const ARTICLE = articleOf(TEXT, {
  title: '海辺市、プールの利用料を引き下げへ',
  publishedAt: '2026-11-05T08:00:00Z',
})

const find = (text: string, quote: string): string =>
  checkSummary(ARTICLE, { title: '海辺市がプールの利用料を引き下げへ', sentences: [{ text, quote }] })
    .filter((finding) => finding.startsWith('1文目'))
    .join()

const QUOTES = {
  lead: '市営プールの利用料を来年度から2割引き下げると発表した',
  users: '利用者は昨年度4万人で、前の年度より8％減っていた',
  prices: '大人の料金は500円から400円に、子どもの料金は250円から200円になる',
  mayor: '三田村副市長は記者会見で「泳ぐ人を増やしたい」と述べた',
  roof: '費用が当初の見積もりを上回ったためだ',
  works: '工事の時期は決まっていない',
  night: '夏の夜間営業を取りやめる可能性がある',
  hiring: '市は10月にも募集を始める方針',
  council: '値下げに反対する会派が「財源を示すべきだ」と批判した',
  water: '水質の検査で異常は見つからなかった',
  oldest: '北部の町にある別のプールは、県内で最も古い',
  theft: 'プールの売店から現金5万円を盗んだとして',
} as const

describe('a claim that says otherwise than the place of its quote', () => {
  it.each<[string, string, keyof typeof QUOTES, string]>([
    ['turns a direction', '市はプールの利用料を値上げする。', 'lead', '向きが逆'],
    ['turns the direction of a number', 'プールの利用者は前の年度より8%増えていた。', 'users', '向きが逆'],
    ['turns a comparison', '屋根の費用は当初の見積もりを下回った。', 'roof', '向きが逆'],
    ['exchanges numbers', '料金は大人が250円、子どもが500円だった。', 'prices', '数が入れ替わって'],
    ['makes a possibility a fact', '市は夏の夜間営業を取りやめる。', 'night', '予定や可能性'],
    ['makes a plan a fact', '市は10月に監視員の募集を始めた。', 'hiring', '予定や可能性'],
    ['makes an accusation a fact', '元店員の沢木亮容疑者が、売店から現金5万円を盗んだ。', 'theft', '予定や可能性'],
    ['loses a negation', '水質の検査で異常が見つかった。', 'water', '肯定・否定が逆'],
    ['adds a negation', '市は監視員の募集を始めない。', 'hiring', '肯定・否定が逆'],
    ['adds a superlative', 'プールの利用者は過去最少となった。', 'users', '最上級'],
    ['gives another role', '三田村市長は、泳ぐ人を増やしたいとしている。', 'mayor', '別の肩書'],
    ['names another part of the country', '南部の町にある別のプールは古い。', 'oldest', '「南部」'],
    ['gives the words to another', '三田村副市長は「財源を示すべきだ」と批判した。', 'council', '別の人のもの'],
    ['takes a number from elsewhere', '5万円で屋根を張り替える費用が、見積もりを上回った。', 'roof', '「5万円」'],
  ])('is refused when it %s', (_, text, quote, finding) => {
    expect(find(text, QUOTES[quote])).toContain(finding)
  })

  it.each<[string, keyof typeof QUOTES]>([
    ['海辺市は来年度から、プールの利用料を2割安くする。', 'lead'],
    ['昨年度の利用者は4万人と、8％のマイナスだった。', 'users'],
    ['大人は400円、子どもは200円に下がる。', 'prices'],
    ['副市長の三田村氏は、泳ぐ人が増えることに期待を示した。', 'mayor'],
    ['屋根を張り替える費用は、見積もりより高くなった。', 'roof'],
    ['工事をいつ行うかは未定だ。', 'works'],
    ['監視員が足りず、夜の営業をやめることもありうる。', 'night'],
    ['監視員の募集は早ければ10月に始まる。', 'hiring'],
    ['値下げに反対する会派は「財源を示すべきだ」と訴えた。', 'council'],
    ['検査では、水質に問題はなかった。', 'water'],
    ['県内で最も古いプールは北部の町にある。', 'oldest'],
    ['売店の現金5万円を盗んだ疑いで、元店員の沢木亮容疑者が逮捕された。', 'theft'],
  ])('is accepted in other words: %s', (text, quote) => {
    expect(find(text, QUOTES[quote])).toBe('')
  })
})

/** What is found in a claim whose quote is the whole of these sentences. */
const findAt = (claim: string, article: string): string => {
  const text = `${article}\n町では来週、花の展示が開かれる。`
  const sentences = [{ text: claim, quote: article }]
  return checkSummary(articleOf(text, { title: '町の話題', publishedAt: '2026-11-23T09:00:00Z' }), {
    title: '町の話題',
    sentences,
  })
    .filter((finding) => finding.startsWith('1文目'))
    .join()
}

/** What is found, the article (all of it is the quote), the lie, and an honest sentence. */
const CASES = readFileSync(join(import.meta.dirname, '../testing/corpus/rules.txt'), 'utf8')
  .trim()
  .split('\n')

it.each(CASES.map((line) => line.split(' | ') as [string, string, string, string]))(
  'finds a %s: %s',
  (finding, article, lie, honest) => {
    expect(findAt(lie, article)).toContain(finding)
    expect(findAt(honest, article)).toBe('')
  },
)

it('a short sentence of the article may be a quote', () => {
  const article = articleOf(`${TEXT}\n津波の心配はない。`, { title: '海辺市の話題' })
  const find = (quote: string): string =>
    checkSummary(article, { title: '海辺市の話題', sentences: [{ text: '津波のおそれはないという。', quote }] }).join()
  expect(find('津波の心配はない')).not.toContain('引用')
  expect(find('津波の心配は')).toContain('引用が短すぎます')
})

describe('a direction', () => {
  it('of a figure is as sure as the figure, whatever the next sentence doubts', () => {
    const article = '輸出は１・２％減、輸入は０・１％増だった。関税の影響で自動車の輸出が減ったとみられる。'
    expect(findAt('輸出は1.2%減り、輸入は0.1%増えた。', article)).not.toContain('予定や可能性')
    expect(findAt('関税の影響で、自動車の輸出が減った。', article)).toContain('予定や可能性')
  })

  it('is not said where it is negated', () => {
    expect(findAt('影響は大きくないと市はみている。', '市によると、業績への影響は軽微だという。')).toBe('')
  })
})

it('a title is compared with the sentence that says the same', () => {
  const sentences = [
    { text: '海辺市は来年度から、プールの利用料を2割安くする。', quote: QUOTES.lead },
    { text: '監視員が足りず、夜の営業をやめることもありうる。', quote: QUOTES.night },
    { text: '検査では、水質に問題はなかった。', quote: QUOTES.water },
  ]
  const findings = (title: string) => checkSummary(ARTICLE, { title, sentences })
  expect(findings('プールの料金、2割の引き下げへ　夜の営業は取りやめも')).toEqual([])
  expect(findings('プールの水質検査で異常見つかる').join()).toContain('見出し: 引用と肯定・否定が逆です')
  expect(findings('プールの料金、2割の引き上げへ').join()).toContain('見出し: 記事のその箇所とは向きが逆です')
})
