import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldFacts } from './text.ts'
import { countNumbers, readNumbers } from './numbers.ts'

const read = (text: string) =>
  readNumbers(foldFacts(text)).map(({ values, unit }) => `${values.join('/')} ${unit}`.trim())

describe('numbers in Japanese text', () => {
  it.each<[string, string[]]>([
    ['12,000人', ['12000 人']],
    ['１万２千人', ['12000 人']],
    ['一万二千人', ['12000 人']],
    ['1.2万人', ['12000 人']],
    ['3億5000万円', ['350000000 円']],
    ['1兆2億3円', ['1000200000003 円']],
    ['二〇二六年', ['2026 年']],
    ['令和8年度', ['2026 年度']],
    ['昭和六十四年', ['1989 年']],
    ['平成元年', ['1989 年']],
    ['平成２８（２０１６）年度', ['2016 年度']],
    ['2016(平成28)年4月', ['2016 年', '4 月']],
    ['平成28年(2016年)', ['2016 年', '2016 年']],
    ['十一月二十二日', ['11 月', '22 日']],
    ['午後2時半', ['14 時']],
    ['午前9時', ['9 午前']],
    ['14:30', ['14 時', '30 分']],
    ['約2割', ['20 %']],
    ['3割5分', ['35 %', '5 分']],
    ['三・五％', ['3.5 %']],
    ['3分の2', ['3 分の', '2']],
    ['10分の遅れ', ['10 分']],
    ['10〜12人', ['10 人', '12 人']],
    ['1〜2万人', ['1/10000 人', '20000 人']],
    ['22、23両日', ['22 日', '23 日']],
    ['10代の20名', ['10 代', '20 人']],
    ['5kmと3.2kg', ['5 キロ', '3.2 キロ']],
    ['3か国、4カ所、5ヶ月', ['3 か国', '4 か所', '5 か月']],
    ['百人', ['100 人']],
    ['伍拾億円と弐千参百円', ['5000000000 円', '2300 円']],
    ['賛成二十三で、反対五だった', ['23', '5']],
    ['12 人', ['12 人']],
    ['007', ['7']],
  ])('are read: %s', (text, expected) => {
    expect(read(text)).toEqual(expected)
  })

  it.each([
    ...['一部の一方で一時、一定', '十分に', '第一に', 'その一人だ', '一人ひとり', '二つ目', '数十人', '十数人'],
    ...['四国の三重県と千葉市', '五十嵐氏', '二階氏', '四日市', '八戸市', '六本木', '百貨店', 'G7とF-35とCOVID-19'],
    ...['三者会談', '参加者が拾い、壱岐へ', '五十嵐と山本五十嵐子', '一本化', '四半期'],
  ])('are not read from words that count nothing: %s', (text) => {
    expect(read(text)).toEqual([])
  })

  it('have the same value in digits and in kanji', () => {
    const units = { 億: 1e8, 万: 1e4, 千: 1_000, 百: 100, 十: 10 }
    const kanji = (value: number): string => {
      const [name, unit] = Object.entries(units).find(([, one]) => value >= one) ?? ['', 1]
      if (unit === 1) return '一二三四五六七八九'.charAt(value - 1)
      const times = Math.floor(value / unit)
      return `${times === 1 && unit < 1e4 ? '' : kanji(times)}${name}${kanji(value % unit)}`
    }
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (value) => {
        // 千万 alone begins with a multiplier, which newspapers write 一千万.
        expect(read(`${kanji(value)}円`)).toEqual(read(`${value}円`))
        expect(read(`${value.toLocaleString('en')}円`)).toEqual([`${value} 円`])
      }),
    )
  })

  it('have the unit that they count, and no other', () => {
    const counted = countNumbers(readNumbers(foldFacts('2026年4月、午後2時に12人と3社が集まった。')))
    const has = (text: string) => readNumbers(foldFacts(text)).every((number) => counted.has(number))
    expect(['14時', '２時', '十二名', '26年', '3つの会社', '12'].filter((text) => !has(text))).toEqual([])
    expect(['午前2時', '12社', '3人', '13人', '2027年', '4日', '3%'].filter(has)).toEqual([])
  })
})
