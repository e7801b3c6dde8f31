/** Labels of log entries, by action. Free of zod, because the browser loads them. */
export const AUDIT_LABELS = {
  post_remove: '書き込みを削除',
  post_restore: '書き込みを復元',
  post_withdraw: '書いた人が書き込みを削除',
  thread_withdraw: '立てた人がスレッドを削除',
  posts_remove: '同じ人の書き込みをまとめて削除',
  posts_restore: 'まとめて削除した書き込みを復元',
  post_fold: '書き込みを折りたたみ',
  post_unfold: '書き込みの折りたたみを解除',
  thread_remove: 'スレッドを削除',
  thread_restore: 'スレッドを復元',
  thread_lock: 'スレッドをロック',
  thread_unlock: 'スレッドのロックを解除',
  thread_pin: 'スレッドを固定',
  thread_unpin: 'スレッドの固定を解除',
  thread_move: 'スレッドを移動',
  owner_note: 'スレ主が追記',
  owner_fold: 'スレ主が書き込みを折りたたみ',
  owner_silence: 'スレ主がその日の書き込みを停止',
  owner_close: 'スレ主がスレッドを閉鎖',
  owner_undo: 'スレ主の操作を取り消し',
  case_dismiss: '通報を却下',
  case_reopen: '通報を再開',
  case_note: '通報にメモ',
  reporter_mute: '通報者を除外',
  reporter_unmute: '通報者の除外を解除',
  held_approve: '確認待ちを公開',
  held_reject: '確認待ちを却下',
  ban: '書き込みを制限',
  ban_lift: '書き込みの制限を解除',
  word_create: '禁止語を追加',
  word_change: '禁止語を変更',
  word_delete: '禁止語を削除',
  words_import: '禁止語をまとめて追加',
  shield_raise: '結界を強化',
  shield_lower: '結界を緩和',
  settings_change: '設定を変更',
  category_create: 'カテゴリを作成',
  category_change: 'カテゴリを変更',
  category_delete: 'カテゴリを削除',
  role_change: '権限を変更',
  tracing_start: '一時記録を開始',
  tracing_end: '一時記録を終了',
  traces_read: '一時記録を閲覧',
  second_factor_reset: '二段階認証を解除',
  news_source_create: '情報源を追加',
  news_source_change: '情報源を変更',
  news_source_delete: '情報源を削除',
  news_source_stop: '情報源を停止',
  news_sources_import: '情報源をまとめて追加',
  news_stop: 'ニュースを停止',
  news_resume: 'ニュースを再開',
  news_publish: 'ニュースを掲載',
  news_approve: 'ニュースを承認',
  news_reject: 'ニュースを却下',
  news_restore: 'ニュースの却下を取り消し',
  news_keep: '元記事の変更を確認',
  news_withdraw: 'ニュースを取り下げ',
  news_correct: '要約を訂正',
  news_retry: '要約をやり直し',
} as const

export type AuditAction = keyof typeof AUDIT_LABELS

const CASE_DECISIONS: Readonly<Record<string, string>> = {
  dismiss: '却下',
  remove: '削除',
  remove_all: 'まとめて削除',
  ban: '削除と制限',
  lock: 'ロック',
}

/**
 * Label of what happened to a reported post: a decision on its case, or an action elsewhere that
 * closed the case.
 */
export const labelDecision = (decision: string | null): string =>
  decision === null ? '対応済み' : (CASE_DECISIONS[decision] ?? labelAction(decision))

/** Label of a log entry. Actions of an older or newer version get a general label. */
export const labelAction = (action: string): string => AUDIT_LABELS[action as AuditAction] ?? 'その他の操作'
