/** Describes the details of a log entry in Japanese: values before and after. */
import { categoryLabel } from '@shinobi/contract/category-labels'
import { inFigures } from '@shinobi/contract/in-figures'
import { NEWS_PERMISSIONS, SUMMARY_KINDS } from '@shinobi/contract/news-labels'
import { WORD_ACTIONS } from '@shinobi/contract/rules'
import { POSTER_ID_LABELS } from '../../../features/admin/poster-id-labels.ts'
import { formatDateTime } from '../../../lib/format-date.ts'
import { STEP_NAMES } from '../../../features/shields/step-names.ts'
import type { Setting } from '../../../features/settings/settings-form.ts'
import { SETTING_GROUPS } from '../../../features/settings/settings-list.ts'

export interface Detail {
  label: string
  /** Null where a value was added or removed. */
  before: string | null
  after: string | null
}

export interface Wording {
  now: Date
  /** Names of categories, by id. */
  names: ReadonlyMap<string, string>
}

const SETTINGS = SETTING_GROUPS.flatMap(({ settings }) => settings)

const LABELS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SETTINGS.map(({ name, label }) => [name, label])),
  role: '権限',
  categoryIds: '担当カテゴリ',
  step: '段階',
  until: '期限',
  manual: '切り替え',
  locked: '書き込みの受け付け',
  pinned: '固定',
  categoryId: 'カテゴリ',
  removed: '表示',
  folded: '折りたたみ',
  muted: 'この人の通報',
  name: '名前',
  description: '説明',
  word: '言葉',
  words: '言葉',
  allow: '例外の言葉',
  action: '動作',
  note: 'メモ',
  scope: '範囲',
  kind: '種類',
  why: '確認待ちの理由',
  on: '対象',
  hours: '期間',
  endsAt: '期限',
  expiresAt: '期限',
  reason: '理由',
  threads: 'スレッド',
  outranked: '効力',
  posts: '書き込み',
  traces: '記録',
  movedTo: '移動先',
  bans: '書き込みの制限',
  moderators: 'モデレーター',
  sources: 'ニュースの情報源',
  stories: 'ニュース',
  voices: '通報者',
  count: '件数',
  url: 'アドレス',
  language: '言語',
  permission: '配信元の許可',
  intervalMinutes: '確認する間隔',
  active: '情報源の確認',
  feeds: 'フィード',
  withdraw: '掲載済みのスレッド',
  title: 'タイトル',
  sentences: '要約',
  posterIds: 'IDの表示',
  holdImages: '初めての方の画像',
}

/**
 * Fields that people typed, shown unchanged. Every other string is a value of the program, and only
 * its label is shown.
 */
const TYPED: ReadonlySet<string> = new Set<string>([
  ...(['bannerText', 'readOnlyText'] satisfies Setting[]),
  ...['name', 'description', 'word', 'words', 'allow', 'note', 'reason', 'url', 'title', 'sentences'],
])

const PLACES = { site: '板の全体', board: 'すべての一覧', category: 'カテゴリ', thread: 'スレッド' }
const BANNED = { user: 'アカウント', visitor: 'ブラウザ', network: '回線' }

/** Labels of values, by field. */
const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  role: { admin: '管理者', moderator: 'モデレーター', member: '会員' },
  scope: PLACES,
  pinned: PLACES,
  kind: { ...BANNED, ...SUMMARY_KINDS, post: '書き込み', thread: 'スレッド' },
  on: BANNED,
  why: {
    ...{ word: '禁止語', image: '初めての方の画像', similar: '似た書き込み', shield: '結界' },
    ...{ ban: '書き込みの制限', silence: 'スレ主が停止したID' },
  },
  posterIds: POSTER_ID_LABELS,
  action: WORD_ACTIONS,
  permission: Object.fromEntries(Object.entries(NEWS_PERMISSIONS).map(([value, { label }]) => [value, label])),
}

type YesAndNo = readonly [yes: string, no: string]
/** Labels of true and false, by field. */
const ANSWERS: Readonly<Record<string, YesAndNo>> = {
  manual: ['手動', '自動'],
  locked: ['停止（ロック）', '受け付け中'],
  removed: ['削除', '公開'],
  folded: ['あり', 'なし'],
  muted: ['数えない', '数える'],
  active: ['続ける', '止める'],
  withdraw: ['取り下げる', 'そのまま'],
  outranked: ['なし（相手の権限が上か同じ）', 'あり'],
  holdImages: ['確認してから公開', 'そのまま公開'],
}
const SWITCH: YesAndNo = ['有効', '無効']

const UNITS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SETTINGS.flatMap(({ name, unit }) => (unit === undefined ? [] : [[name, unit]]))),
  hours: '時間',
  threads: '件',
  bans: '件',
  moderators: '人',
  sources: '件',
  stories: '件',
  posts: '件',
  traces: '件',
  count: '件',
  voices: '人',
  intervalMinutes: '分',
}

/** What null stands for, by field, where that is not nothing. */
const NULLS: Readonly<Record<string, string>> = {
  hours: '解除するまで',
  postLimit: '設定のとおり',
}

/** Maximum items shown of a list. */
const LISTED = 10

const languages = new Intl.DisplayNames('ja', { type: 'language' })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
const ID = /^[\da-f]{8}-[\da-f]{4}-/

/** Ids are never shown: an id without a name gives null. */
function wordsOf(key: string, value: unknown, wording: Wording): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return (ANSWERS[key] ?? SWITCH)[value ? 0 : 1]
  if (key === 'step' && typeof value === 'number') return STEP_NAMES[value] ?? null
  if (typeof value === 'number') return inFigures(value) + (UNITS[key] ?? '')
  if (Array.isArray(value)) return wordsOfAll(key, value, wording)
  // Only the text of a summary is shown; a correction does not change its quotes.
  if (isObject(value)) return key === 'sentences' ? wordsOf(key, value['text'], wording) : null
  if (typeof value !== 'string') return null
  if (TYPED.has(key)) return value
  if (ID.test(value)) return wording.names.get(value) ?? null
  if (TIME.test(value)) return formatDateTime(value, wording.now)
  if (key === 'movedTo') return categoryLabel(value)
  if (key === 'language') return languageOf(value)
  return VALUES[key]?.[value] ?? null
}

function wordsOfAll(key: string, values: readonly unknown[], wording: Wording): string | null {
  const words = values.map((item) => wordsOf(key, item, wording)).filter((word) => word !== null)
  if (words.length < values.length) return `${inFigures(values.length)}件`
  if (words.length === 0) return null
  const rest = words.length - LISTED
  return rest > 0 ? `${words.slice(0, LISTED).join('・')}・ほか${inFigures(rest)}件` : words.join('・')
}

function languageOf(tag: string): string | null {
  try {
    return languages.of(tag) ?? null
  } catch {
    return null
  }
}

/** The words for a field of a state. A moderator without categories moderates the whole board. */
function wordsIn(state: Record<string, unknown>, key: string, wording: Wording): string | null {
  if (state[key] !== null) return wordsOf(key, state[key], wording)
  if (key === 'categoryIds' && state['role'] === 'moderator') return PLACES.site
  return NULLS[key] ?? null
}

export function describeDetails(details: Readonly<Record<string, unknown>>, wording: Wording): Detail[] {
  const { before, after, ...rest } = details
  const from = isObject(before) ? before : {}
  const to = isObject(after) ? after : {}
  const changed = [...new Set([...Object.keys(from), ...Object.keys(to)])].map((key) => ({
    key,
    before: wordsIn(from, key, wording),
    after: wordsIn(to, key, wording),
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
