import { describe, expect, it } from 'vitest'
import { newRecord, type ThreadRecord } from '../reading/record.ts'
import {
  addAlerts,
  alertsOf,
  ALERTS_MAX,
  answersAfter,
  keywordIn,
  markAllRead,
  NOTHING_WATCHED,
  withoutGone,
  type StoredAlert,
} from './alerts.ts'

const record = (more: Partial<ThreadRecord>): ThreadRecord => ({ ...newRecord('a'), title: '月', ...more })
const answer = (number: number, at = number): StoredAlert => ({
  ...{ kind: 'answer', threadId: 'a', title: '月', number, answered: 1, at },
})

describe('answersAfter', () => {
  it('finds answers of others to own posts, each once', () => {
    const answers = { '1': [2, 4, 5], '3': [5, 6], '7': [8] }
    expect(answersAfter(answers, [1, 3, 4], 2)).toEqual([
      { number: 5, answered: 1 },
      { number: 6, answered: 3 },
    ])
  })
})

describe('keywordIn', () => {
  it('finds words without regard to width, case and kana', () => {
    expect(keywordIn('今夜のﾗｰﾒﾝ部', ['月', 'らーめん'])).toBe('らーめん')
    expect(keywordIn('ＡＩの話', ['ai'])).toBe('ai')
    expect(keywordIn('何でも', ['', '　'])).toBeUndefined()
  })
})

describe('addAlerts', () => {
  it('adds each once, the newest first, and keeps the newest only', () => {
    const known = addAlerts([], [answer(2), answer(3)])
    expect(known.map((alert) => alert.at)).toEqual([3, 2])
    expect(addAlerts(known, [answer(3)])).toBe(known)
    const many = Array.from({ length: ALERTS_MAX + 5 }, (_, index) => answer(index + 1))
    expect(addAlerts([], many)).toHaveLength(ALERTS_MAX)
    expect(addAlerts([], many)[0]!.at).toBe(ALERTS_MAX + 5)
  })
})

describe('withoutGone', () => {
  const keyword: StoredAlert = { kind: 'keyword', threadId: 'a', title: '月', keyword: '月', at: 1 }

  it('drops answers that were removed, and nothing else', () => {
    const elsewhere = { ...answer(2), threadId: 'b' }
    const known = [answer(9), answer(3), answer(2), keyword, elsewhere]
    expect(withoutGone(known, 'a', { answers: { '1': [3] }, through: 8 })).toEqual([
      answer(9),
      answer(3),
      keyword,
      elsewhere,
    ])
  })

  it('leaves the alerts as they are where none has gone', () => {
    const known = [answer(2)]
    expect(withoutGone(known, 'a', { answers: { '1': [2] }, through: 8 })).toBe(known)
  })
})

describe('alertsOf', () => {
  const watching = { ...NOTHING_WATCHED, threads: ['a'], alerts: [answer(5)] }

  it('marks an answer as read once its thread was read that far', () => {
    const isRead = (readThrough: number) =>
      alertsOf({ ...watching, threads: [] }, [record({ readThrough })]).map((alert) => alert.isRead)
    expect(isRead(4)).toEqual([false])
    expect(isRead(5)).toEqual([true])
  })

  it('tells the new posts of a watched thread, also of a favourite by choice', () => {
    const news = (more: Partial<typeof watching>, of: Partial<ThreadRecord> = {}) =>
      alertsOf({ ...watching, alerts: [], ...more }, [record({ readThrough: 3, postCount: 7, ...of })])
    expect(news({})).toMatchObject([{ kind: 'posts', number: 4, count: 4 }])
    expect(news({ seen: { a: 6 } })).toMatchObject([{ number: 7, count: 1 }])
    expect(news({ threads: [] })).toEqual([])
    expect(news({ threads: [], favourites: true })).toEqual([])
    expect(news({ threads: [], favourites: true }, { favouriteAt: 1 })).toHaveLength(1)
  })

  it('tells nothing of a watched thread that was removed', () => {
    expect(alertsOf({ ...watching, alerts: [] }, [record({ readThrough: 3, postCount: 7, isGone: true })])).toEqual([])
  })

  it('has nothing new after everything was marked as read', () => {
    const records = [record({ readThrough: 3, postCount: 7 })]
    const after = alertsOf(markAllRead(watching, records), records)
    expect(after).toEqual([{ ...answer(5), isRead: true }])
  })
})
