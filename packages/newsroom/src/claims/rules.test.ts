/** What each rule finds, and what it lets pass. The shared corpus is in corpus.test.ts. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { articleOf } from '../testing/articles.ts'
import { checkSummary } from './checker.ts'

/** What is found in a claim whose quote is the whole article. */
const findAt = (claim: string, article: string): string =>
  checkSummary(articleOf(article, { title: '町の話題', publishedAt: '2026-11-23T09:00:00Z' }), {
    title: '町の話題',
    sentences: [{ text: claim, quote: article }],
  })
    .filter((finding) => finding.startsWith('1文目'))
    .join()

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

describe('a claim of one place in a longer article', () => {
  const PLACES = {
    fees: '海辺市は市営プールの利用料を来年度から２割引き下げると発表した',
    night: '監視員の不足で、夏の夜間営業を取りやめる可能性がある',
    mayor: '三田村市長は記者会見で「泳ぐ人を増やしたい」と述べた',
    water: '水質の検査で異常は見つからなかった',
    wave: '津波の心配はない',
    theft: '海辺署はプールから現金５万円を盗んだ疑いで男を逮捕した',
    people: '市の人口は減少が続く',
    users: 'プールの利用者は増えている',
  }
  const ARTICLE = articleOf(`${Object.values(PLACES).join('。\n')}。`, { title: '海辺市、プールの利用料を引き下げへ' })
  const HONEST = [
    { text: '海辺市は来年度から、プールの利用料を2割安くする。', quote: PLACES.fees },
    { text: '監視員が足りず、夜の営業をやめることもありうる。', quote: PLACES.night },
    { text: '検査では、水質に問題はなかった。', quote: PLACES.water },
  ]
  const find = (title: string, text: string, quote: string): string =>
    checkSummary(ARTICLE, { title, sentences: [...HONEST, { text, quote }] }).join()

  it.each<[string, string[]]>([
    ['プールの料金、2割の引き下げへ　夜の営業は取りやめも', []],
    ['プールの水質検査で異常見つかる', ['見出し: 引用と肯定・否定が逆です']],
    ['プールの料金、2割の引き上げへ', ['見出し: 記事のその箇所とは向きが逆です']],
    ['海辺市、プールで感染', ['見出し: 記事のその箇所にない重大な事柄']],
    ['三田村市長「泳ぐ人を増やしたい」', []],
    ['海辺署長「泳ぐ人を増やしたい」', ['見出し: 「」の中の言葉は、記事では別の人のもの']],
  ])('is compared with it, as a title with that of the sentence that says the same: %s', (title, found) => {
    const findings = checkSummary(ARTICLE, { title, sentences: HONEST })
    expect(findings).toEqual(found.map((words) => expect.stringContaining(words)))
  })

  it('takes no number from another place', () => {
    expect(find('海辺市の話題', '5万円の利用料を2割下げる。', PLACES.fees)).toContain('「5万円」')
  })

  it('takes a direction from a neighbour only for what its own sentence does not name', () => {
    expect(find('海辺市の話題', '人口が減るなか、プールの利用者は多い。', PLACES.users)).not.toContain('向きが逆')
    expect(find('海辺市の話題', 'プールの利用者は減っている。', PLACES.users)).toContain('向きが逆')
  })

  it('may quote a short sentence as a whole', () => {
    const text = '津波のおそれはないという。'
    expect(find('海辺市の話題', text, '津波の心配はない')).not.toContain('引用')
    expect(find('海辺市の話題', text, '津波の心配は')).toContain('引用が短すぎます')
  })
})
