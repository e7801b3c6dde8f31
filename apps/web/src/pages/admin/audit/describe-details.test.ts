import { describe, expect, it } from 'vitest'
import { describeDetails } from './describe-details.ts'

const POLITICS = '01900000-0000-7000-8000-00000000000a'
const wording = { now: new Date('2026-11-22T03:00:00Z'), names: new Map([[POLITICS, '政治']]) }
const say = (details: Record<string, unknown>) => describeDetails(details, wording)

describe('describeDetails', () => {
  it('tells what changed, in words', () => {
    expect(
      say({
        before: { foldReporters: 3, shieldAutomatic: true, spamPosts: 50 },
        after: { foldReporters: 5, shieldAutomatic: false, spamPosts: 50 },
      }),
    ).toEqual([
      { label: '折りたたむ通報者の数', before: '3', after: '5' },
      { label: '自動で上げ下げする', before: 'はい', after: 'いいえ' },
    ])
    expect(say({ before: { role: 'member' }, after: { role: 'admin' } })).toEqual([
      { label: '権限', before: '会員', after: '管理者' },
    ])
    expect(say({ before: { step: 0 }, after: { step: 3 } })).toEqual([
      { label: '段階', before: '平常', after: '確認待ち' },
    ])
  })

  it('tells what was not there before, and what is gone', () => {
    expect(say({ after: { name: 'night', description: '' } })).toEqual([
      { label: '名前', before: null, after: 'night' },
    ])
    expect(say({ before: { name: 'night' }, movedTo: 'general', threads: 1_200 })).toEqual([
      { label: '名前', before: 'night', after: null },
      { label: '移動先', before: null, after: 'general' },
      { label: 'スレッド', before: null, after: '1,200件' },
    ])
  })

  it('tells times and spans as people do', () => {
    expect(say({ hours: 168, endsAt: '2026-11-28T21:58:52.826Z' })).toEqual([
      { label: '期間', before: null, after: '168時間' },
      { label: '期限', before: null, after: '11月29日 06:58' },
    ])
  })

  it('counts lists, joins short ones, and shows no ids', () => {
    const id = '01900000-0000-7000-8000-000000000001'
    expect(say({ posts: [id, id], userId: id, after: { on: ['user', 'network'] } })).toEqual([
      { label: '対象', before: null, after: 'アカウント・回線' },
      { label: '書き込み', before: null, after: '2件' },
    ])
  })

  it('knows categories by name', () => {
    const gone = '01900000-0000-7000-8000-00000000000b'
    expect(
      say({
        before: { categoryId: gone, categoryIds: null },
        after: { categoryId: POLITICS, categoryIds: [POLITICS] },
      }),
    ).toEqual([
      { label: 'カテゴリ', before: null, after: '政治' },
      { label: '担当カテゴリ', before: null, after: '政治' },
    ])
  })

  it('tells of news in the words of their screen', () => {
    expect(
      say({
        before: { url: 'https://news.example.jp/rss', permission: 'allowed', intervalMinutes: 30, active: true },
        after: { url: 'https://news.example.jp/rss', permission: 'headline', intervalMinutes: 60, active: false },
        withdraw: true,
      }),
    ).toEqual([
      { label: '配信元の許可', before: '要約してよい', after: '見出しだけ' },
      { label: '確認する間隔', before: '30分', after: '60分' },
      { label: '確認する', before: 'はい', after: 'いいえ' },
      { label: 'スレッドも取り下げ', before: null, after: 'はい' },
    ])
    expect(say({ kind: 'headline' })).toEqual([{ label: '種類', before: null, after: '見出しのみ' }])
    const quote = '月は十八時に出た。'
    expect(
      say({
        before: {
          title: '月が出た',
          sentences: [
            { text: '月は朝に出た。', quote },
            { text: '霧は晴れた。', quote },
          ],
        },
        after: {
          title: '月が出た',
          sentences: [
            { text: '月は夕方に出た。', quote },
            { text: '霧は晴れた。', quote },
          ],
        },
      }),
    ).toEqual([{ label: '要約', before: '月は朝に出た。・霧は晴れた。', after: '月は夕方に出た。・霧は晴れた。' }])
  })

  it('says nothing of what it does not know', () => {
    expect(say({ before: null, after: 3, secret: 'x', nested: { deep: true } })).toEqual([])
  })
})
