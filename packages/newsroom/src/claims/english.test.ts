import { describe, expect, it } from 'vitest'
import { articleOf } from '../testing/articles.ts'
import { readEnglishDays, readEnglishNumbers } from './english.ts'
import { checkSummary } from './checker.ts'

const TEXT = `OSLO, March 3 (Wire) - Norway will spend $1.2 billion on two icebreakers, Prime Minister Jonas Eriksen said on Tuesday.
The ships will be built in Gdansk by Remontowa and handed over in June 2029. Forty-five sailors will live on each of them, about 30 percent fewer than today.
Critics in parliament said the government had not explained who would pay for the harbour.`

const ARTICLE = articleOf(TEXT, { title: 'Norway orders two icebreakers', publishedAt: '2026-03-03T12:00:00Z' })

const check = (text: string) =>
  checkSummary(ARTICLE, {
    title: 'ノルウェー、砕氷船2隻を発注',
    sentences: [
      {
        text: 'ノルウェーは砕氷船に12億ドルを投じると、エリクセン首相が火曜日に述べた。',
        quote: 'Norway will spend $1.2 billion on two icebreakers',
      },
      { text, quote: 'The ships will be built in Gdansk by Remontowa' },
      {
        text: '乗員は各45人で、今より30％ほど少ない。',
        quote: 'Forty-five sailors will live on each of them, about 30 percent fewer than today.',
      },
    ],
  })

describe('a Japanese summary of an English article', () => {
  it.each([
    '船はグダンスクでつくられ、2029年6月に引き渡される。',
    '船はGdanskのRemontowaがつくる。',
    '議会では、港の費用を誰が払うのか説明がないとの批判が出ている。',
    '3月3日の発表では、船は2隻となる。',
  ])('is accepted where the article has it: %s', (text) => {
    expect(check(text)).toEqual([])
  })

  it.each([
    ['a number', '船は2029年6月に5隻が引き渡される。', '5隻'],
    ['an amount', '船は13億ドルでつくられる。', '13億ドル'],
    ['a date', '3月4日の発表では、船は2隻となる。', '3月4日'],
    ['a month', '船は2029年7月に引き渡される。', '2029年7月'],
    ['a weekday', '船の建造は金曜日に発表された。', '金曜'],
    ['a country', 'スウェーデンの造船所が船をつくる。', 'スウェーデン'],
    ['a company', '船はSiemensがつくる。', 'siemens'],
    ['a quotation', '船について首相は「国の誇りだ」と述べた。', '国の誇りだ'],
  ])('is refused for an invented fact: %s', (_, text, word) => {
    expect(check(text).join()).toContain(word)
  })
})

describe('English numbers and days', () => {
  it.each<[string, string[]]>([
    ['$1.2 billion', ['1200000000']],
    ['1,234 people', ['1234']],
    ['twenty-five-year-old', []],
    ['forty-five sailors', ['45']],
    ['3.5 percent', ['3.5']],
    ['two dozen', ['2', '12']],
  ])('are read: %s', (text, expected) => {
    for (const value of expected) expect(readEnglishNumbers(text)).toContain(value)
    if (expected.length === 0) expect(readEnglishNumbers(text)).not.toContain('25')
  })

  it('are read from dates', () => {
    expect(readEnglishDays('on tuesday, july 5, 2026 and 6 august')).toMatchObject({
      monthsWithDay: expect.arrayContaining([
        ['7', '5'],
        ['8', '6'],
      ]),
      yearsWithMonth: [['2026', '7']],
      weekdays: ['火'],
    })
  })
})
