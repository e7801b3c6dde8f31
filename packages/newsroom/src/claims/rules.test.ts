/** What each rule finds, and what it lets pass. The shared corpus is in corpus.test.ts. */
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

it.each<[string, string, string, string]>([
  [
    '予定や可能性',
    '被告は控訴するかどうか「弁護人と決める」としている。',
    '被告は判決を不服として控訴した。',
    '被告は控訴について弁護人と決める。',
  ],
  [
    '予定や可能性',
    '市内の断水の復旧は２０日になる見込みだという。',
    '断水は20日に復旧した。',
    '断水は20日に復旧する見通しだ。',
  ],
  [
    '予定や可能性',
    '青葉は２１日の準決勝で、昨年優勝の名鳳と対戦する。',
    '青葉は21日に名鳳に勝った。',
    '青葉は21日に名鳳とぶつかる。',
  ],
  [
    '予定や可能性',
    '両国は１番艦の２０３０年の引き渡しを目指す。',
    '1番艦は2030年に引き渡された。',
    '1番艦は2030年に引き渡す計画だ。',
  ],
  [
    '予定や可能性',
    'インスリンの働きの低下が原因とみられる。',
    'インスリンの働きの低下が原因だ。',
    'インスリンが働かないことが原因とみられる。',
  ],
  [
    '予定や可能性',
    '市民団体は市に「水が汚された」と主張している。',
    '団体によると市の水が汚された。',
    '水が汚されたと団体は訴えている。',
  ],
  [
    '重大',
    '店員の男性は刃物で脅されたが、けがはなかった。',
    '店員の男性がけがをした。',
    '店員の男性にけがはなかった。',
  ],
  [
    '肯定・否定',
    '気象庁によると、この地震による津波の心配はない。',
    'この地震で津波が発生した。',
    'この地震による津波のおそれはない。',
  ],
  [
    '向きが逆',
    '元職員の男は裁判で、起訴された内容を認めた。',
    '元職員の男は起訴された内容を否認した。',
    '男は内容を認めている。',
  ],
  [
    '向きが逆',
    '先発の左腕は９回を投げ、相手を０点に抑えた。',
    '先発の右腕が9回を0点に抑えた。',
    '先発の左腕が9回を投げきった。',
  ],
  [
    '向きが逆',
    '眠った後の血糖値は、平均で１８％高かった。',
    '血糖値は平均で18%低かった。',
    '血糖値は平均で18%上がった。',
  ],
  [
    '名前',
    '県の沿岸部で、震度５強を観測する地震があった。',
    '県の山間部で震度5強を観測した。',
    '県の沿岸で震度5強を観測した。',
  ],
  [
    '別の肩書',
    '作曲家の芦田凪子さんが来月、町で講演をする。',
    '画家の芦田凪子さんが来月講演する。',
    '作曲家の芦田凪子さんが来月話をする。',
  ],
  [
    '数が入れ替わって',
    '得票数は葛城氏が５万票、尾形氏が４万票だった。',
    '得票数は尾形氏が5万票、葛城氏が4万票だった。',
    '得票数は葛城氏が5万票、尾形氏が4万票となった。',
  ],
  [
    '別の人のもの',
    '葛城真帆氏が尾形武雄氏を破った。尾形氏は「力不足だ」と語った。',
    '葛城氏は「力不足だ」と語った。',
    '尾形氏は「力不足だ」と述べた。',
  ],
  ['数', '地震の規模（Ｍ）は５・８と推定される。', '地震の規模はM6.8だった。', '地震の規模はM5.8とみられる。'],
  [
    '数',
    '事業費は総額で１００億豪ドルを見込む。',
    '事業費は総額で100億米ドルと見込まれる。',
    '事業費は100億豪ドルの見込み。',
  ],
  [
    '数',
    '１０月の物価の伸びは前月より縮み、２・９％だった。',
    '物価の伸びは8月より縮み、2.9%だった。',
    '物価の伸びは9月より縮み、2.9%となった。',
  ],
  [
    '数',
    '８４歳の女性が、避難所で５日続けて過ごした。',
    '70代の女性が避難所で5日間過ごした。',
    '80代の女性が避難所で5日間過ごした。',
  ],
  [
    '数',
    '先発の榊は１５９球を投げ、前年より勝ち星を増やした。',
    '榊は3年前より勝ち星を増やした。',
    '榊は一人で159球を投げ、1年前より勝ち星を増やした。',
  ],
  [
    '最上級',
    '両国は１番艦を２０３０年に造り始めるという。',
    '両国は初の艦を2030年に造り始める。',
    '両国は最初の艦を2030年に造り始める。',
  ],
  ['数', '北都信金と湾岸信金は２年後に合併すると発表した。', '3信金は2年後に合併する。', '2信金は2年後に合併する。'],
  [
    '数',
    '町の２４時間の雨量は３１２ミリに達し、鉄道は終日止まった。',
    '雨量は2日で312ミリに達した。',
    '雨量は1日で312ミリに達した。',
  ],
  [
    '重大',
    '土砂崩れで１８人が孤立し、けが人の情報は入っていない。',
    '孤立した18人がけがをした。',
    '孤立した18人がけがをしたとの情報はない。',
  ],
  [
    '予定や可能性',
    '北都信金と湾岸信金は、再来年に合併することで合意した。',
    '北都信金と湾岸信金が合併した。',
    '北都信金と湾岸信金は合併することで合意した。',
  ],
  [
    '数が入れ替わって',
    '４基のエンジンのうち１基は不調で、残る３基で飛ぶ。大人は８台、子どもは５台。',
    '大人は5台、子どもは8台。',
    'エンジン4基のうち1基は不調で、3基で飛ぶ。',
  ],
])('finds a %s: %s', (finding, article, lie, honest) => {
  expect(findAt(lie, article)).toContain(finding)
  expect(findAt(honest, article)).toBe('')
})

it('a short sentence of the article may be a quote', () => {
  const article = articleOf(`${TEXT}\n津波の心配はない。`, { title: '海辺市の話題' })
  const find = (quote: string): string =>
    checkSummary(article, { title: '海辺市の話題', sentences: [{ text: '津波のおそれはないという。', quote }] }).join()
  expect(find('津波の心配はない')).not.toContain('引用')
  expect(find('津波の心配は')).toContain('引用が短すぎます')
})

describe('a direction', () => {
  const turns = (claim: string, article: string): boolean => findAt(claim, article).includes('向きが逆')

  it.each([
    ['輸出は前の期より１・２％減、輸入は０・１％増だった。', '輸出は1.2%増だった。', '輸入は0.1%とわずかに増えた。'],
    ['輸出は前の期より１・２％減、輸入は０・１％増だった。', '輸入は0.1%減だった。', '輸入は0.1%の増加だった。'],
    [
      '輸出は前の期より１・２％減、輸入は０・１％増だった。',
      '輸入は0.1%減り、輸出は1.2%増えた。',
      '輸入は小幅に伸びた。',
    ],
    [
      '終値は前の日より１２０円安の３０００円だった。',
      '終値は120円高の3000円だった。',
      '終値は120円下がって3000円だった。',
    ],
    ['支援額は昨年、中国に次いで多かった。', '支援額は昨年、中国に次いで少なかった。', '支援額は中国の次に多い。'],
    [
      '会場を訪れた人は前年より少なかった。',
      '会場を訪れた人は前年より多かった。',
      '訪れた人は、前の年に比べて少ない。',
    ],
    ['この月の物価は前の月より上昇した。', '物価は前の月と変わらなかった。', '物価は前の月より上がった。'],
    ['売上高は今年度の目標を上回った。', '売上高は目標に届かなかった。', '売上高は目標を超えた。'],
  ])('is read in any form: %s', (article, lie, honest) => {
    expect([turns(lie, article), turns(honest, article)]).toEqual([true, false])
  })

  it('of a figure is as sure as the figure, whatever the next sentence doubts', () => {
    const article = '輸出は１・２％減、輸入は０・１％増だった。関税の影響で自動車の輸出が減ったとみられる。'
    expect(findAt('輸出は1.2%減り、輸入は0.1%増えた。', article)).not.toContain('予定や可能性')
    expect(findAt('関税の影響で、自動車の輸出が減った。', article)).toContain('予定や可能性')
  })

  it('is not said where it is negated', () => {
    expect(turns('影響は大きくないと市はみている。', '市によると、業績への影響は軽微だという。')).toBe(false)
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
