import { adminChangeRole } from '@shinobi/contract/admin'
import { AUDIT_LABELS, type AuditAction } from '@shinobi/contract/audit-labels'
import { banKind, banScope } from '@shinobi/contract/bans'
import { NEWS_PERMISSIONS, SUMMARY_KINDS } from '@shinobi/contract/news-labels'
import { SHIELD_STEPS, WORD_ACTIONS } from '@shinobi/contract/rules'
import { boardSettings } from '@shinobi/contract/settings'
import { threadPin } from '@shinobi/contract/threads'
import { describe, expect, it } from 'vitest'
import { describeDetails } from './describe-details.ts'

const POLITICS = '01900000-0000-7000-8000-00000000000a'
const wording = { now: new Date('2026-11-22T03:00:00Z'), names: new Map([[POLITICS, '政治']]) }
const say = (details: Record<string, unknown>) => describeDetails(details, wording)

describe('describeDetails', () => {
  it('describes what changed, with labels instead of raw values', () => {
    expect(
      say({
        before: { foldReporters: 3, shieldAutomatic: true, spamPosts: 50 },
        after: { foldReporters: 5, shieldAutomatic: false, spamPosts: 50 },
      }),
    ).toEqual([
      { label: '折りたたむ通報者の数', before: '3人', after: '5人' },
      { label: '自動で上げ下げする', before: '有効', after: '無効' },
    ])
    expect(say({ before: { role: 'member' }, after: { role: 'admin' } })).toEqual([
      { label: '権限', before: '会員', after: '管理者' },
    ])
    expect(say({ before: { step: 0 }, after: { step: 3 } })).toEqual([
      { label: '段階', before: '平常', after: '確認待ち' },
    ])
  })

  it('describes what IDs show in a category, and whether images wait', () => {
    expect(
      say({
        before: { posterIds: 'thread', holdImages: false },
        after: { posterIds: 'day', holdImages: true },
      }),
    ).toEqual([
      { label: 'IDの表示', before: 'スレッドと日ごと', after: 'カテゴリと日ごと' },
      { label: '初めての方の画像', before: 'そのまま公開', after: '確認してから公開' },
    ])
    expect(say({ why: 'image' })).toEqual([{ label: '確認待ちの理由', before: null, after: '初めての方の画像' }])
  })

  it('describes added and removed values', () => {
    expect(say({ after: { name: 'night', description: '' } })).toEqual([
      { label: '名前', before: null, after: 'night' },
    ])
    expect(say({ before: { name: 'night' }, movedTo: 'general', threads: 1_200 })).toEqual([
      { label: '名前', before: 'night', after: null },
      { label: '移動先', before: null, after: '💬 雑談' },
      { label: 'スレッド', before: null, after: '1,200件' },
    ])
  })

  it('formats times and durations for readers', () => {
    expect(say({ hours: 168, endsAt: '2026-11-28T21:58:52.826Z' })).toEqual([
      { label: '期間', before: null, after: '168時間' },
      { label: '期限', before: null, after: '11月29日 06:58' },
    ])
  })

  it('counts long lists, joins short ones, and shows no ids', () => {
    const id = '01900000-0000-7000-8000-000000000001'
    expect(say({ posts: [id, id], userId: id, after: { on: ['user', 'network'] } })).toEqual([
      { label: '対象', before: null, after: 'アカウント・回線' },
      { label: '書き込み', before: null, after: '2件' },
    ])
  })

  it('shows categories by name', () => {
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

  it('says what nothing stands for: the whole board, the setting, no end', () => {
    const role = (categoryIds: readonly string[] | null) => ({ role: 'moderator', categoryIds })
    expect(say({ before: role([POLITICS]), after: role(null) })).toEqual([
      { label: '担当カテゴリ', before: '政治', after: '板の全体' },
    ])
    expect(say({ before: role([POLITICS]), after: { role: 'member', categoryIds: null } })).toEqual([
      { label: '権限', before: 'モデレーター', after: '会員' },
      { label: '担当カテゴリ', before: '政治', after: null },
    ])
    expect(say({ before: { postLimit: 500 }, after: { postLimit: null } })).toEqual([
      { label: '書き込みの上限', before: '500件', after: '設定のとおり' },
    ])
    expect(say({ after: { scope: 'site', hours: null } })).toEqual([
      { label: '範囲', before: null, after: '板の全体' },
      { label: '期間', before: null, after: '解除するまで' },
    ])
  })

  it('describes news in the terms of their screen', () => {
    expect(
      say({
        before: { url: 'https://news.example.jp/rss', permission: 'allowed', intervalMinutes: 30, active: true },
        after: { url: 'https://news.example.jp/rss', permission: 'headline', intervalMinutes: 60, active: false },
        withdraw: true,
      }),
    ).toEqual([
      { label: '配信元の許可', before: '要約してよい', after: '見出しだけ' },
      { label: '確認する間隔', before: '30分', after: '60分' },
      { label: '情報源の確認', before: '続ける', after: '止める' },
      { label: '掲載済みのスレッド', before: null, after: '取り下げる' },
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

  it('omits details that it does not know', () => {
    expect(say({ before: null, after: 3, secret: 'x', nested: { deep: true } })).toEqual([])
  })
})

/**
 * Details that the server logs with each action, with every value of a kind, a state or a switch.
 */
const NOTED: Readonly<Record<AuditAction, readonly Record<string, unknown>[]>> = (() => {
  const id = '01900000-0000-7000-8000-000000000001'
  const at = '2026-11-28T21:58:52.826Z'
  const both = [false, true]
  const change = (key: string, values: readonly unknown[]) =>
    values.flatMap((before) => values.map((after) => ({ before: { [key]: before }, after: { [key]: after } })))
  const settings = Object.fromEntries(
    Object.keys(boardSettings.shape).map((name) => [
      name,
      name.endsWith('Text') ? '' : /Active|Approval|Automatic|readOnly|require/.test(name) ? true : 7,
    ]),
  )
  const off = Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, value === true ? false : value === 7 ? [1, 2, 3] : value]),
  )
  const steps = SHIELD_STEPS.map((_, step) => ({
    before: { step: 0, manual: false, until: null },
    after: { step, manual: true, until: at },
  }))
  const words = Object.keys(WORD_ACTIONS).map((action) => ({ word: '乱', allow: ['乱れ'], action, note: '乱' }))
  const sources = Object.keys(NEWS_PERMISSIONS).flatMap((permission) =>
    ['ja', 'en', 'zh-Hant'].map((language) => ({
      ...{ url: '網', name: '瓦版', categoryId: id, language, permission, intervalMinutes: 30, active: true },
    })),
  )
  const held = ['post', 'thread'].flatMap((kind) =>
    ['word', 'shield', 'image', 'similar', 'ban', 'silence'].map((why) => ({ held: id, kind, why })),
  )
  const removed = [...change('removed', both), { posts: { [id]: [1, 2] } }, { posts: { [id]: [1] }, banActionId: id }]
  const roles = adminChangeRole.schema.body.shape.role.options.map((role) => ({ role, categoryIds: [id] }))
  const mutes = [{ reportId: id, before: { muted: false }, after: { muted: true, until: at } }]
  const told = [{ story: id, before: null, after: null }]
  return {
    post_remove: removed,
    post_restore: [...removed, { count: 2 }],
    owner_note: [{}],
    owner_fold: [{}],
    owner_silence: [{}],
    owner_close: [{}],
    owner_undo: [{}],
    post_withdraw: [{}],
    thread_withdraw: [{}],
    posts_remove: [{ posts: { [id]: [1, 2] }, count: 2 }],
    posts_restore: [{ count: 2 }],
    post_fold: [{ voices: 3, heardVoices: 0 }],
    post_unfold: [{}],
    thread_remove: change('removed', both),
    thread_restore: change('removed', both),
    thread_lock: change('locked', both),
    thread_unlock: change('locked', both),
    thread_pin: change('pinned', [null, ...threadPin.options]),
    thread_unpin: change('pinned', [null, ...threadPin.options]),
    thread_move: change('categoryId', [POLITICS, id]),
    case_dismiss: [{ before: { heardVoices: 0, folded: true }, after: { heardVoices: 3, folded: false } }],
    case_reopen: [{}],
    case_note: [{ before: { note: '' }, after: { note: '乱' } }],
    reporter_mute: mutes,
    reporter_unmute: mutes,
    held_approve: held,
    held_reject: held,
    ban: banScope.options.map((scope) => ({
      ...{ banIds: [id], after: { on: banKind.options, scope, hours: 24, note: '' }, target: { userId: id } },
      outranked: true,
    })),
    ban_lift: banKind.options.flatMap((kind) =>
      banScope.options.map((scope) => ({ banIds: [id], before: { kind, scope, expiresAt: at, reason: '乱' } })),
    ),
    word_create: words.map((after) => ({ after })),
    word_change: words.map((after) => ({ before: words[0], after })),
    word_delete: words.map((before) => ({ before })),
    words_import: [{ after: { action: 'flag', words: Array.from({ length: 30 }, () => '乱') } }],
    shield_raise: steps,
    shield_lower: steps,
    settings_change: [{ before: settings, after: off }],
    category_create: [{ after: { name: '夜', description: '' } }],
    category_change: [{ before: { postLimit: null }, after: { postLimit: 500 } }],
    category_delete: [
      { before: { name: '夜', description: '' }, movedTo: null, threads: 0 },
      {
        ...{ before: { name: '夜', description: '' }, movedTo: 'general', threads: 2 },
        ...{ bans: [id], moderators: 1, sources: 2, stories: 3 },
      },
    ],
    role_change: roles.map((after) => ({ userId: id, before: null, after })),
    tracing_start: [{ hours: 24, endsAt: at }],
    tracing_end: [{}],
    traces_read: [{ traces: 3 }],
    second_factor_reset: [{}],
    news_source_create: sources.map((after) => ({ sourceId: id, after })),
    news_source_change: sources.map((after) => ({ sourceId: id, before: { ...sources[0], active: false }, after })),
    news_source_delete: sources.map((before) => ({ sourceId: id, before })),
    news_source_stop: both.map((withdraw) => ({
      before: sources[0],
      after: { ...sources[0], active: false },
      withdraw,
    })),
    news_sources_import: [{ after: { ...sources[0], url: null, feeds: [{ url: 'x', name: 'y' }] } }],
    news_stop: change('newsActive', both),
    news_resume: change('newsActive', both),
    news_publish: Object.keys(SUMMARY_KINDS).map((kind) => ({ story: id, kind })),
    news_approve: told,
    news_reject: told,
    news_restore: told,
    news_keep: told,
    news_withdraw: told,
    news_correct: [
      { story: id, before: { title: '月' }, after: { title: '夜', sentences: [{ text: '夜。', quote: 'x' }] } },
    ],
    news_retry: told,
  }
})()

describe('every action of the log', () => {
  it.each(Object.keys(AUDIT_LABELS) as AuditAction[])('describes %s in Japanese, and shows no raw value', (action) => {
    expect(AUDIT_LABELS[action]).toMatch(/^[^a-z_]+$/i)
    for (const details of NOTED[action]) {
      for (const { label, before, after } of say(details)) {
        for (const words of [label, before ?? '', after ?? '']) {
          // The only words of labels in Latin letters.
          expect(words.replaceAll(/AI|IPv4|ID/g, '')).not.toMatch(/[a-z]|はい|いいえ|null|undefined/i)
        }
      }
    }
  })

  it('says of a ban of somebody with the same rights that it has no effect', () => {
    expect(say({ outranked: true })).toEqual([{ label: '効力', before: null, after: 'なし（相手の権限が上か同じ）' }])
  })

  it('omits a string that nobody typed and that has no label', () => {
    expect(say({ after: { kind: 'novelty', scope: 'galaxy', action: 'burn', role: 'king', why: 'mood' } })).toEqual([])
  })
})
