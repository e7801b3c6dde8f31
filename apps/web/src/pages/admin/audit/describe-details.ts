/** What an entry of the log says of before and after, in words. */
import { NEWS_PERMISSIONS, SUMMARY_KINDS } from '@shinobi/contract/news-labels'
import { RULES } from '@shinobi/contract/rules'
import { formatDateTime } from '../../../lib/format-date.ts'
import { STEP_NAMES } from '../shields/step-names.ts'
import { SETTING_GROUPS } from '../settings/settings-list.ts'
import { inFigures } from '../../../lib/in-figures.ts'

export interface Detail {
  label: string
  /** Null where there was nothing before, or nothing is left. */
  before: string | null
  after: string | null
}

export interface Wording {
  now: Date
  /** Of categories, by id. */
  names: ReadonlyMap<string, string>
}

const LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name, label }): [string, string] => [name, label])),
  ),
  role: '権限',
  categoryIds: '担当カテゴリ',
  step: '段階',
  until: '期限',
  manual: '手動',
  locked: 'ロック',
  pinned: '固定',
  category: 'カテゴリ',
  categoryId: 'カテゴリ',
  removed: '削除',
  name: '名前',
  description: '説明',
  word: '言葉',
  allow: '例外の言葉',
  action: '動作',
  note: 'メモ',
  scope: '範囲',
  kind: '種類',
  on: '対象',
  hours: '期間',
  endsAt: '期限',
  expiresAt: '期限',
  reason: '理由',
  threads: 'スレッド',
  outranked: '上位の権限のため無効',
  posts: '書き込み',
  traces: '記録',
  movedTo: '移動先',
  added: '追加',
  known: '登録済み',
  voices: '通報者',
  removedPosts: '削除した書き込み',
  count: '件数',
  status: '状態',
  decision: '判断',
  url: 'アドレス',
  language: '言語',
  permission: '配信元の許可',
  intervalMinutes: '確認する間隔',
  active: '確認する',
  feeds: 'フィード',
  withdraw: 'スレッドも取り下げ',
  title: 'タイトル',
  sentences: '要約',
}

const VALUES: Readonly<Record<string, string>> = {
  ...RULES,
  admin: '管理者',
  moderator: 'モデレーター',
  member: '会員',
  site: '板の全体',
  category: 'カテゴリ',
  thread: 'スレッド',
  board: '板の全体',
  user: 'アカウント',
  visitor: 'ブラウザ',
  network: '回線',
  block: '断る',
  hold: '確認待ち',
  mask: '伏せ字',
  flag: '通す',
  open: '未対応',
  closed: '対応済み',
}

/** Where the same word means different things. */
const VALUES_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: SUMMARY_KINDS,
  permission: Object.fromEntries(Object.entries(NEWS_PERMISSIONS).map(([value, { label }]) => [value, label])),
}

const UNITS: Readonly<Record<string, string>> = {
  hours: '時間',
  threads: '件',
  posts: '件',
  traces: '件',
  added: '件',
  known: '件',
  intervalMinutes: '分',
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ID = /^[\da-f]{8}-[\da-f]{4}-/

/** Ids are for programs: without a name for one there is nothing to show. */
function wordsOf(key: string, value: unknown, { now, names }: Wording): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'はい' : 'いいえ'
  if (key === 'step' && typeof value === 'number') return STEP_NAMES[value] ?? String(value)
  if (typeof value === 'number') return inFigures(value) + (UNITS[key] ?? '')
  if (Array.isArray(value)) {
    const words = value.map((item) => wordsOf(key, item, { now, names })).filter((word) => word !== null)
    return words.length === value.length ? words.join('・') || null : `${value.length}件`
  }
  // Of a summary its text is told; what it rests on stays when it is corrected.
  if (isObject(value)) return key === 'sentences' ? wordsOf(key, value['text'], { now, names }) : null
  if (typeof value !== 'string') return null
  if (ID.test(value)) return names.get(value) ?? null
  return TIME.test(value) ? formatDateTime(value, now) : (VALUES_OF[key]?.[value] ?? VALUES[value] ?? value)
}

export function describeDetails(details: Readonly<Record<string, unknown>>, wording: Wording): Detail[] {
  const { before, after, ...rest } = details
  const from = isObject(before) ? before : {}
  const to = isObject(after) ? after : {}
  const changed = [...new Set([...Object.keys(from), ...Object.keys(to)])].map((key) => ({
    key,
    before: wordsOf(key, from[key], wording),
    after: wordsOf(key, to[key], wording),
  }))
  const others = Object.entries(rest).map(([key, value]) => ({
    key,
    before: null,
    after: wordsOf(key, value, wording),
  }))
  return [...changed, ...others]
    .filter(({ key, before: was, after: is }) => key in LABELS && was !== is)
    .map(({ key, ...words }) => ({ label: LABELS[key]!, ...words }))
}
