/**
 * Names of news states, problems and permissions, with their labels for administrators and
 * visitors. Free of zod, because the browser loads them.
 */
import { inFigures } from './in-figures.ts'
import type { SummaryKind } from './threads.ts'

/** How the opening post of a news thread was made. */
export const SUMMARY_KINDS = {
  ai: 'AI要約',
  extractive: '抜粋要約',
  headline: '見出しのみ',
} as const satisfies Readonly<Record<SummaryKind, string>>

/**
 * What a text of a news thread is and where it is from, before it where no seal can stand: in feeds
 * and link previews. Empty for a thread of a visitor.
 */
export const markOf = ({
  summary,
  sourceSite,
}: {
  readonly summary: SummaryKind | null
  readonly sourceSite: string | null
}): string =>
  summary === null ? '' : `【${SUMMARY_KINDS[summary]}${sourceSite === null ? '' : `・出典: ${sourceSite}`}】`

export const STORY_STATES = {
  new: '要約待ち',
  ready: '掲載の順番待ち',
  waiting: '承認待ち',
  published: '掲載中',
  refused: '要約できず',
  rejected: '却下',
  withdrawn: '取り下げ',
} as const

/** What a publisher allows, and what the board does with that. */
export const NEWS_PERMISSIONS = {
  allowed: { label: '要約してよい', hint: '本文を読んで要約し、出典と元記事へのリンクを付けて載せます。' },
  headline: { label: '見出しだけ', hint: '本文は読みに行きません。フィードの見出しと元記事へのリンクだけを載せます。' },
  blocked: { label: '使わない', hint: '何も読みに行きません。配信元に断られたときに選びます。' },
} as const

/** Why a feed or an article could not be read, or may not be used. */
export const NEWS_PROBLEMS = {
  unreachable: '配信元につながりません',
  timeout: '時間内に終わりませんでした',
  refused_address: '公開されていない場所のアドレスです',
  http_error: '配信元がエラーを返しました',
  gone: '配信元から消えています',
  redirects: '転送が多すぎるか、一巡しています',
  too_large: '大きすぎます',
  robots: 'robots.txtで断られています',
  opt_out: '配信元が機械による利用を断っています',
  not_a_feed: 'フィードとして読み取れません',
  not_html: '記事のページではありません',
  no_text: '本文が見つかりません',
  no_article: '記事ではありません（広告・ログイン・同意の画面など）',
  unavailable: 'メンテナンス中のようです',
  too_old: '古い記事です',
  blocked: '使わない設定の情報源です',
  language: '日本語の記事ではありません',
  ungrounded: '記事に根拠のない要約でした',
  model_failed: '言語モデルが応えませんでした',
  no_budget: '要約に使える量の上限に達しました',
  banned_word: '禁止語が含まれています',
  machine_talk: '機械に向けた文があります',
  category_missing: 'カテゴリがありません',
} as const

/** Why no thread was opened: a sentence of the number of articles, and the commonest problem. */
export const IDLE_REASONS = {
  no_sources: () => '読む情報源がありません。',
  nothing_new: () => '新しい記事がありません。',
  waiting: (count: string) => `${count}件が承認を待っています。`,
  turn: (count: string) => `${count}件が掲載の順番を待っています。`,
  no_budget: (count: string) => `要約に使える量の上限に達し、${count}件が待っています。`,
  model_away: (count: string) => `言語モデルの失敗が続き、${count}件が待っています。`,
  under_way: (count: string) => `${count}件を処理しています。`,
  refused: (count: string, problem: string) => `${count}件を見送りました${problem}。`,
  rejected: (count: string) => `${count}件を却下しました。`,
  merged: (count: string) => `${count}件は、ほかのスレッドの出典になりました。`,
} as const

interface Idle {
  readonly kind: keyof typeof IDLE_REASONS
  readonly count: number
  readonly problem: keyof typeof NEWS_PROBLEMS | null
}

export const explainIdle = ({ kind, count, problem }: Idle): string =>
  IDLE_REASONS[kind](inFigures(count), problem === null ? '' : `（最も多い理由: ${NEWS_PROBLEMS[problem]}）`)

/**
 * How the article has changed since it was summarised: a sentence, and a mark for lists; null while
 * it has not.
 */
export const SUMMARY_CURRENCY = {
  current: null,
  stale: { words: '元記事はこの要約の後に変更されました', mark: '元記事が変更' },
  corrected: { words: '元記事は訂正されました。この要約は訂正の前の記事によるものです', mark: '元記事が訂正' },
  gone: { words: '元記事は見られなくなっています', mark: '元記事が消滅' },
  opted_out: { words: '元記事の配信元は、この要約の後に機械による利用を断りました', mark: '配信元が利用を拒否' },
} as const
