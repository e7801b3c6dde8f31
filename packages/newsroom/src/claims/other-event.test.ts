import { describe, expect, it } from 'vitest'
import { isOtherEvent, isOtherTime, type Report } from './other-event.ts'

const report = (title: string, text: string): Report => ({ title, text })

const quake = (time: string, place: string, size: string, magnitude: string): Report =>
  report(
    `${place}で震度${size}の地震`,
    `${time}ごろ、${place}を震源とする地震があり、震度${size}の揺れを観測しました。気象庁によりますと、震源の深さはおよそ10キロ、地震の規模を示すマグニチュードは${magnitude}と推定されています。`,
  )
const QUAKE = quake('21日午後1時3分', '石川県能登地方', '4', '4.8')

describe('reports of different events', () => {
  it.each([
    ['an aftershock at the same place', quake('21日午後1時41分', '石川県能登地方', '4', '4.8')],
    ['an aftershock hours later', quake('21日午後3時3分', '石川県能登地方', '4', '4.6')],
    ['a quake at this time of another day', quake('22日午後1時3分', '石川県能登地方', '4', '4.8')],
  ])('are told by their time, also where their words are alike: %s', (_, other) => {
    expect(isOtherTime(QUAKE, other)).toBe(true)
    expect(isOtherTime(other, QUAKE)).toBe(true)
  })

  it('are told by the strength of a quake where no time is given', () => {
    const [one, other] = [quake('けさ', '能登', '4', '4.8'), quake('きょう', '能登', '3', '4.1')]
    expect(isOtherTime(one, other)).toBe(true)
    expect(isOtherTime(one, one)).toBe(false)
  })

  it.each<[string, Report, Report]>([
    ['another place', QUAKE, quake('21日午後1時3分', '茨城県北部', '4', '4.8')],
    [
      'another company',
      report('トヨタが新型の電気自動車', 'トヨタは東京で新型の電気自動車を発表した。'),
      report('ホンダが新型の電気自動車', 'ホンダは東京で新型の電気自動車を披露した。'),
    ],
    [
      'another person',
      report('立花静香さんが結婚', '歌手の立花静香さんが結婚を発表した。'),
      report('川島洋子さんが結婚', '俳優の川島洋子さんが結婚を発表した。'),
    ],
    [
      'another number',
      report('図書館の利用が過去最多', '市立図書館の昨年の来館者は12万人で、過去最多だった。'),
      report('図書館に最多の来館者', '県立図書館を訪れた人は昨年、過去最多の34万人に上った。'),
    ],
    [
      'another day of the stock market',
      report('日経平均が続落', '20日の東京株式市場で日経平均株価は続落し、終値は3万8283円だった。'),
      report('日経平均が反発', '21日の東京株式市場で日経平均株価は反発し、終値は3万8560円だった。'),
    ],
  ])('are told by %s', (_, one, other) => {
    expect(isOtherEvent(one, other)).toBe(true)
    expect(isOtherEvent(other, one)).toBe(true)
  })
})

describe('reports of one event', () => {
  const PLAN = report(
    '政府、半導体工場に1兆2000億円の支援を決定',
    '政府は21日、半導体の国内生産を後押しするため、総額1兆2000億円の支援策を決定した。北海道千歳市と熊本県菊陽町の工場が対象で、2027年度の量産開始を目指す。',
  )
  it.each<[string, Report, Report]>([
    [
      'in words of their own',
      PLAN,
      report(
        '千歳と菊陽の工場に追加資金',
        '政府が半導体メーカーに追加の資金を出す。21日の閣議で決めた補助は１．２兆円に上る。',
      ),
    ],
    [
      'of which one gives no number',
      PLAN,
      report('半導体の新工場、国が追加で支援へ', '千歳市の工場などに国が資金を追加する。'),
    ],
    ['with a corrected strength', QUAKE, quake('21日13時3分', '能登', '4', '4.9')],
    [
      'of which one leads with what the other tells later',
      report('倉庫で火災、けが人なし', '港町の倉庫で火災があり、200平方メートルが焼けた。'),
      report(
        '港町で倉庫が全焼',
        '港町の倉庫から火が出て、30人が避難した。焼けたのは200平方メートルで、けが人はいない。',
      ),
    ],
  ])('are not told apart: %s', (_, one, other) => {
    expect(isOtherEvent(one, other)).toBe(false)
    expect(isOtherEvent(other, one)).toBe(false)
  })
})
