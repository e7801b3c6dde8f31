import { describe, expect, it } from 'vitest'
import { bandsOf, likeness, SAME_STORY } from './near-duplicates.ts'

const AGENCY = `政府は21日、半導体の国内生産を後押しするため、新たに総額1兆2000億円の支援策を決定した。北海道千歳市と熊本県菊陽町に建設中の工場が対象で、2027年度の量産開始を目指す。
経済産業相は閣議後の記者会見で「経済安全保障の観点から国内に生産基盤を持つことが欠かせない」と述べた。支援は3年間に分けて行い、進み具合を半年ごとに有識者会議が点検する。
一方、野党からは「特定の企業への支援が大きすぎる」との批判も出ている。財務省の審議会は10月、費用に見合う効果があるかどうかを検証する仕組みを設けるよう求めていた。
国内の半導体産業は1980年代に世界の売り上げの約5割を占めたが、その後は海外勢に押され、足元では1割を下回る。政府は2030年に国内の売上高を15兆円に増やす目標を掲げている。`

/** Another paper's print of the same agency copy: with its own lead, and the end cut off. */
const CUT_SHORT = `【東京】半導体の国産化に向けた動きが加速している。
政府は21日、半導体の国内生産を後押しするため、新たに総額1兆2000億円の支援策を決定した。北海道千歳市と熊本県菊陽町に建設中の工場が対象で、2027年度の量産開始を目指す。
経済産業相は閣議後の記者会見で「経済安全保障の観点から国内に生産基盤を持つことが欠かせない」と述べた。`

/** Edited in places, with a paragraph about the region added by the local paper. */
const EDITED = `千歳市などで建設が進む半導体工場について、政府は21日、国内での生産を後押しするための総額1兆2000億円の新たな支援策を決めた。熊本県菊陽町の工場も対象で、2027年度に量産を始めることを目指す。
経産相は閣議後会見で「経済安全保障の観点から、国内に生産基盤を持つことが欠かせない」と話した。支援は3年間に分けて実施し、進み具合は半年ごとに有識者会議が点検する。
野党からは「特定の企業への支援が大きすぎる」との批判も出ている。財務省の審議会は10月、費用に見合う効果があるかを検証する仕組みをつくるよう求めていた。
千歳市の市長は取材に「雇用の増加に期待している。住宅の整備を急ぎたい」と語った。市内では今年に入って賃貸住宅の家賃が2割ほど上がっている。`

/** Another paper's own report of the same decision. */
const OWN_WORDS = `政府が半導体メーカーに追加の資金を出す。21日の閣議で決めた新しい補助の枠は合わせて1兆2000億円に上り、千歳と菊陽で工事が続く二つの工場に配られる。
担当閣僚は会見で、有事に海外からの調達が止まる危険を挙げ、国の中でつくる意味を強調した。お金は3回に分けて渡し、途中で計画が遅れれば減らす。
補助の大きさには異論もある。ある財務省の幹部は「一社にここまで出した例はない」と漏らす。専門家の間では、人手の確保や電力の手当てが間に合うかを心配する声が多い。
日本の半導体はかつて世界一を誇った。巻き返しの成否は、客をどれだけつかめるかにかかる。`

/** The same subject, but another day's event. */
const SAME_TOPIC = `半導体の素材を手がける国内大手3社は20日、次世代の半導体に使う材料を共同で開発すると発表した。新しい会社を来年4月に設け、2028年の実用化を目指す。
政府は半導体の国内生産を後押しするため工場の建設を支援しており、経済産業省は今回の共同開発にも補助金を出す方向で検討している。
国内の半導体産業は1980年代に世界の売り上げの約5割を占めたが、その後は海外勢に押されてきた。ただ、素材の分野では今も日本企業が世界で高い割合を持つ。
3社は「各社の技術を持ち寄り、海外との競争に勝ちたい」としている。`

const quake = (time: string, place: string, size: string, magnitude: string, depth: string): string =>
  `${time}ごろ、${place}を震源とする地震があり、${place}で${size}の揺れを観測しました。気象庁によりますと、震源の深さはおよそ${depth}キロ、地震の規模を示すマグニチュードは${magnitude}と推定されています。この地震による津波の心配はありません。気象庁は今後の情報に注意するよう呼びかけています。揺れの強かった地域では、落石や崖崩れなどの危険性が高まっているおそれがあります。`

const market = (day: string, change: string, close: string, volume: string, yen: string): string =>
  `${day}日の東京株式市場で日経平均株価は${change}した。終値は前日比${volume}銭の${close}銭だった。米国の株式相場の流れを受けて、朝方から値がさの半導体関連株などに注文が集まった。外国為替市場で円相場が1ドル=${yen}銭前後で動いたことも、輸出関連株の動きに影響した。東証プライムの売買代金は概算で4兆円台だった。市場では「決算の発表を前に様子を見る投資家が多い」との声が聞かれた。`

/** Whether the pipeline takes both for one story: they share a band, and are alike enough. */
const isSameStory = (a: string, b: string): boolean => {
  const bands = new Set(bandsOf(a))
  return bandsOf(b).some((band) => bands.has(band)) && likeness(a, b) >= SAME_STORY
}

const FULL_WIDTH = AGENCY.replaceAll(/\d/g, (d) => '０１２３４５６７８９'[Number(d)]!).replaceAll('。', '。 ')
const QUAKE = quake('21日午後1時3分', '石川県能登地方', '震度4', '4.8', '10')
const UPDATED = quake('21日午後1時3分', '石川県能登地方', '震度4', '4.9', '10')
const OTHER_QUAKE = quake('22日午前5時41分', '茨城県北部', '震度3', '4.1', '60')
const MARKET = market('20', '続落', '3万8283円85', '85円28', '154円52')
const NEXT_DAY = market('21', '反発', '3万8560円12', '276円27', '155円10')

it.each([
  ['the same text', AGENCY, AGENCY, true],
  ['agency copy with another lead, cut short', AGENCY, CUT_SHORT, true],
  ['agency copy that a local paper edited and added to', AGENCY, EDITED, true],
  ['the same text in full-width figures and with other spaces', AGENCY, FULL_WIDTH, true],
  ['only the first paragraph', AGENCY, AGENCY.split('\n')[0]!, true],
  ['a report with one figure brought up to date', QUAKE, UPDATED, true],
  ['a report of the same event in words of its own', AGENCY, OWN_WORDS, false],
  ['another event of the same subject, with a sentence of background in common', AGENCY, SAME_TOPIC, false],
  ['two earthquakes in the same set phrases', QUAKE, OTHER_QUAKE, false],
  ['the stock market of two days', MARKET, NEXT_DAY, false],
  ['something else altogether', AGENCY, QUAKE, false],
])('%s is one story: $3', (_, a, b, expected) => {
  expect(isSameStory(a, b)).toBe(expected)
  expect(isSameStory(b, a)).toBe(expected)
})

describe('fingerprints', () => {
  it('are sixteen signed 32-bit integers, the same at every run', () => {
    const bands = bandsOf(AGENCY)
    expect(bands).toHaveLength(16)
    expect(bands.every((band) => band === (band | 0))).toBe(true)
    // Rows in the database store these values: a change here needs a migration.
    expect(bands.slice(0, 2)).toEqual([-2115200776, -2146019774])
  })

  it('exist for very short texts, but not for empty ones', () => {
    expect(bandsOf('地震')).toHaveLength(16)
    expect(bandsOf('　。')).toEqual([])
    expect(likeness('', '')).toBe(0)
    expect(likeness('地震', '地震')).toBe(1)
  })
})
