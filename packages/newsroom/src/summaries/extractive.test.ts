import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import { countGraphemes, findProblem } from '@shinobi/contract/text'
import { articleOf } from '../testing/articles.ts'
import { summariseExtractively } from './extractive.ts'

const toDocument = (text: string, title = '米川市の図書館、来年4月に移転') => articleOf(text, { title })

const NEWS = `【米川＝田中太一】米川市は12日、駅前の再開発ビルに市立中央図書館を移転させ、来年4月1日に開館すると発表した。
総事業費は42億5000万円で、このうち約3割を国の補助金で賄う。蔵書は現在の12万冊から18万冊に増やす。
写真＝完成予想図（米川市提供）
市長は記者会見で「市民の居場所になる図書館にしたい」と述べた。
市民団体は現在の図書館の建物を壊さないよう求める署名を市に提出している。しかし市は建物を残さない方針で、跡地は売却する。
関連記事：県立図書館も改修へ
図書館の運営は民間の会社に委託する。市議会からは、貸し出し記録の扱いについて不安の声も上がっている。
図書館の運営は民間の会社に委託する予定だ。
この記事は有料会員限定です。続きを読むには会員登録をしてください。`

const extract = (text: string, title?: string) => {
  const extracted = summariseExtractively(toDocument(text, title))
  return 'summary' in extracted ? extracted.summary : null
}

describe('an extract', () => {
  it('is three sentences of the article in its order, no more than a quotation', () => {
    const summary = extract(NEWS)!
    expect(summary.sentences.map(({ text }) => text)).toEqual([
      '米川市は12日、駅前の再開発ビルに市立中央図書館を移転させ、来年4月1日に開館すると発表した。',
      expect.any(String),
      expect.any(String),
    ])
    const places = summary.sentences.map(({ quote }) => NEWS.indexOf(quote))
    expect(places.every((place) => place >= 0)).toBe(true)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    const length = summary.sentences.reduce((sum, { text }) => sum + text.length, 0)
    expect(length).toBeLessThanOrEqual(0.35 * NEWS.length)
    expect(summary.title).toBe('米川市の図書館、来年4月に移転')
  })

  it('leaves out bylines, captions, links and invitations', () => {
    const page = `${'写真＝田中太一撮影の図書館、図書館、図書館。\n関連記事は図書館の移転と図書館の開館。\n無断転載を禁じます図書館。\n'.repeat(3)}${NEWS}`
    const told = extract(page)!
      .sentences.map(({ text }) => text)
      .join('')
    expect(told).not.toMatch(/写真|関連|転載|会員|【/)
  })

  it('does not repeat itself', () => {
    const lead = '米川市は12日、駅前の再開発ビルに市立中央図書館を移転させると発表した。'
    const again = '米川市は12日、駅前の再開発ビルに市立中央図書館を移転させることを発表した。'
    const summary = extract(`${lead}\n${again}\n${NEWS.slice(0, 250)}\n${again}\n${NEWS}`)!
    const alike = summary.sentences.filter(({ text }) => text.includes('市立中央図書館を移転させ'))
    expect(alike).toHaveLength(1)
  })

  it('uses sentences that lean on the one before where others are too few, in the order of the article', () => {
    const [lead, leaning, own] = [
      '米川市は12日、駅前のビルに図書館を移転させると発表した。',
      'また市は来月から、新しい司書を五人募集することも決めた。',
      '総事業費は42億円で、国の補助金が充てられる見通しとなった。',
    ]
    const rest = 'このため、子どもが遊ぶ広場も同じ階にできることになる。'.repeat(8)
    const texts = extract(`${lead}${leaning}${own}${rest}`)!.sentences.map(({ text }) => text)
    expect(texts).toEqual([lead, leaning, own])
  })

  it('leaves out a sentence that is longer than a quotation may be, rather than cutting it', () => {
    const long = `${'市は図書館を移転させると発表し、'.repeat(10)}開館する。`
    const summary = extract(`${long}\n${NEWS}`)!
    expect(summary.sentences.length).toBeGreaterThan(0)
    for (const { text, quote } of summary.sentences) {
      expect(text).toBe(quote)
      expect(text.length).toBeLessThanOrEqual(150)
    }
    expect(extract(`${long}\n${long}\n${long}`)).toBeNull()
  })

  it('of a long article is limited to the length of a quotation as well', () => {
    const told = Array.from(
      { length: 100 },
      (_, at) => `${at}番目の施設では${'設備の更新や利用時間の見直しを含む計画が進み'.repeat(5)}、${at}人が働く。`,
    )
    const { sentences } = extract(told.join('\n'))!
    expect(sentences.reduce((sum, { quote }) => sum + quote.length, 0)).toBeLessThanOrEqual(400)
  })

  it('of a short article is its first sentence, if that is not most of it', () => {
    const lead = '米川市は12日、駅前のビルに図書館を移転させると発表した。'
    const rest = '総事業費は42億5000万円で、このうち約3割を国の補助金で賄うという見通しだ。'
    expect(extract(lead + rest + '開館は来春。')!.sentences).toEqual([{ text: lead, quote: lead }])
    expect(extract(`${lead.slice(0, -4)}、${rest}`)).toBeNull()
  })

  it('is not made of an article that is too short, or has only furniture', () => {
    for (const text of ['図書館が移転する。', '続きを読むには会員登録が必要です。'.repeat(20), '']) {
      expect(summariseExtractively(toDocument(text))).toEqual({ problem: 'no_text' })
    }
  })

  it('is not made of an article in another language, whatever language the page declares', () => {
    const english = 'The city library will stay open until nine, and four people will be hired for it. '.repeat(10)
    const chinese = '市立图书馆明年四月迁往车站前的新大楼，市政府十二日宣布。总费用约四十二亿日元。'.repeat(10)
    for (const text of [english, chinese]) {
      expect(summariseExtractively(toDocument(text))).toEqual({ problem: 'language' })
    }
  })

  it('has a title even where the page has none that fits', () => {
    expect(extract(NEWS, '図')!.title).toMatch(/^米川市は12日/)
    const fitted = extract(NEWS, '図書館'.repeat(60))!.title
    expect(countGraphemes(fitted)).toBe(TITLE.max)
    expect(fitted).toMatch(/館…$/)
  })

  it('has only quotes that stand in the article, and texts that the board accepts, for any article', () => {
    const pieces = fc.constantFrom(
      ...['図書館', '移転する', '米川市は', '、', '。', '。\n', '「', '」', '12日に', 'ア', 'library ', '. '],
      ...['👨‍👩‍👧', '　', '\u202e', '\ud800', '【米川】', 'が\u3099'],
    )
    const text = fc.array(pieces, { minLength: 20, maxLength: 120 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.string({ unit: 'binary', maxLength: 20 }), (body, title) => {
        const summary = extract(body, title)
        if (summary === null) return
        expect(findProblem(summary.title, TITLE, 'line')).toBeNull()
        expect(summary.sentences.length).toBeGreaterThanOrEqual(1)
        expect(summary.sentences.length).toBeLessThanOrEqual(3)
        for (const sentence of summary.sentences) {
          expect(body.includes(sentence.quote)).toBe(true)
          expect(findProblem(sentence.text, NEWS_SENTENCE, 'line')).toBeNull()
          expect(sentence.quote).toBe(sentence.text)
        }
      }),
      { numRuns: 40 },
    )
  })
})
