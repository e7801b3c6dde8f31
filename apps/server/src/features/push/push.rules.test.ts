import { describe, expect, it } from 'vitest'
import { endOfQuiet, partsOf, writeMessage, type News } from './push.rules.ts'

const japan = (time: string): number => Date.parse(`2026-11-21T${time}:00+09:00`)

describe('endOfQuiet', () => {
  const night = { quietFrom: 23, quietUntil: 7 }

  it('finds the end of a night, before and after midnight', () => {
    expect(endOfQuiet(japan('23:00'), night)).toBe(japan('07:00') + 86_400_000)
    expect(endOfQuiet(japan('00:30'), night)).toBe(japan('07:00'))
    expect(endOfQuiet(japan('06:59'), night)).toBe(japan('07:00'))
  })

  it('finds none outside the hours, and where there are none', () => {
    expect(endOfQuiet(japan('07:00'), night)).toBeNull()
    expect(endOfQuiet(japan('22:59'), night)).toBeNull()
    expect(endOfQuiet(japan('13:00'), { quietFrom: null, quietUntil: null })).toBeNull()
    expect(endOfQuiet(japan('13:00'), { quietFrom: 13, quietUntil: 13 })).toBeNull()
    expect(endOfQuiet(japan('13:00'), { quietFrom: 9, quietUntil: 17 })).toBe(japan('17:00'))
  })
})

describe('partsOf', () => {
  it('has every word of a title, folded, and a bounded number of parts', () => {
    expect(partsOf('ﾗｰﾒﾝ')).toEqual(expect.arrayContaining(['らーめん', 'めん', 'ら']))
    expect(partsOf('忍'.repeat(100)).length).toBeLessThanOrEqual(60)
    const title = Array.from({ length: 100 }, (_, index) => String.fromCharCode(0x4e00 + index)).join('')
    expect(partsOf(title).length).toBeLessThanOrEqual(6_000)
  })
})

describe('writeMessage', () => {
  const news: News = { kind: 'answer', threadId: 'a', number: 5, through: 9, count: 1, title: null }

  it('names nothing but the kind of news, unless the visitor wants titles', () => {
    expect(writeMessage(news)).toEqual({
      ...{ title: '忍板', body: 'あなたの書き込みに返信がありました。' },
      ...{ tag: 'a', path: '/thread/a/5', threadId: 'a', number: 9 },
    })
    expect(writeMessage({ ...news, title: '月見' }).body).toBe('「月見」\nあなたの書き込みに返信がありました。')
  })

  it('counts what came together', () => {
    expect(writeMessage({ ...news, count: 3 }).body).toBe('あなたの書き込みに返信が3件ありました。')
    expect(writeMessage({ ...news, kind: 'posts', count: 100 }).body).toBe(
      '見張っているスレッドに新しい書き込みが100件以上あります。',
    )
    expect(writeMessage({ ...news, kind: 'thread' }).body).toBe('見張っている言葉のスレッドが立ちました。')
  })
})
