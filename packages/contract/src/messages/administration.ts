/** Messages about moderation, and those of its desks. */
import { inFigures } from '../in-figures.ts'
import * as limits from '../limits.ts'
import * as staffLimits from '../staff-limits.ts'

// Moderation, as visitors see it
export const post_held = '書き込みを受け付けました。確認が済むと表示されます。'
export const thread_held = 'スレッドを受け付けました。確認が済むと表示されます。'
export const held_full = '確認を待っている書き込みが多いため、これ以上受け付けられません。しばらくお待ちください。'
export const post_folded = '通報が多いため折りたたんでいます。'
export const banned = (reason: string, until: string | null) =>
  `書き込みが制限されています。理由：${reason}／${until === null ? '期限：なし' : `解除：${until}`}`
export const cooldown = (seconds: number) => `続けて書き込むまで、あと${seconds}秒お待ちください。`
export const shield_cooldown = (seconds: number) =>
  `結界を張っています。続けて書き込むまで、あと${seconds}秒お待ちください。`
export const shield_proof = '結界を張っています。初めての方の書き込みの前に、ブラウザで自動の確認を行います。'
export const shield_locked =
  '結界を張っています。初めての方の書き込みを一時的に止めています。しばらくしてからお試しください。'
export const proof_failed = '確認に失敗しました。もう一度お試しください。'
export const held_not_found = 'その書き込みの記録は見つかりませんでした。'

// Administration
export const reason_required = '理由を入力してください。'
export const reason_too_long = `${staffLimits.MODERATION_REASON.max}文字以内で入力してください。`
export const rule_required = '理由となる規約を選んでください。'
export const setting_range = (min: number, max: number) =>
  `${inFigures(min)}〜${inFigures(max)}の整数で入力してください。`
export const setting_rising = '段階が上がるごとに大きい値にしてください。'
export const banner_too_long = `お知らせは${staffLimits.BANNER.max}文字以内で入力してください。`
export const word_required = '言葉を入力してください。'
export const word_too_long = `言葉は${staffLimits.WORD.max}文字以内で入力してください。`
export const word_empty = '記号だけの言葉は登録できません。'
export const word_taken = 'その言葉はすでに登録されています。'
export const words_full = `登録できる言葉は${inFigures(limits.WORDS_MAX)}件までです。`
export const word_not_found = 'その言葉は見つかりませんでした。'
/** Shown in the list of bans in place of the name of a member who has left. */
export const departed_member = '退会した会員'
/**
 * Shown to moderators of some categories in place of the name of any other moderator or
 * administrator.
 */
export const staff = '運営'
export const ban_not_found = 'その制限は見つかりませんでした。'
export const ban_ended = 'この制限はすでに終わっています。'
export const ban_impossible = 'この相手には、その方法の制限をかけられません。'
export const ban_rank = '自分と、自分以上の権限を持つ人を制限することはできません。'
export const mute_rank = '自分以上の権限を持つ人の通報は除外できません。'
export const ban_own = '自分にかかった制限は、自分では解除できません。管理者に相談してください。'
export const case_not_found = 'その通報は見つかりませんでした。'
export const case_closed = 'この通報には、すでにほかの人が対応しました。'
export const action_not_undoable = 'この操作は取り消せません。'
export const action_undone = 'この操作はすでに取り消されています。'
export const action_superseded = 'そのあとに別の操作があったため、取り消せません。'
export const action_too_old = `取り消せるのは${limits.UNDO_HOURS}時間以内の操作だけです。`
export const post_already_removed = 'この書き込みはすでに削除されています。'
export const post_not_removed = 'この書き込みは削除されていません。'
export const post_purged = 'この書き込みの内容はすでに消去されています。'
export const thread_already_removed = 'このスレッドはすでに削除されています。'
export const thread_unchanged = 'このスレッドは、すでにその状態です。'
export const thread_not_removed = 'このスレッドは削除されていません。'
export const held_writer_gone = 'この書き込みをした人は退会しています。'
export const held_name_taken = 'このニックネームはほかの人のものになったため、公開できません。'
export const held_rejected = '運営の確認により、公開されませんでした。'
export const held_post_expired = 'スレッドが終わったため、公開できませんでした。'
export const held_thread_expired = '名前が使えなくなったか、カテゴリがなくなったため、公開できませんでした。'
export const held_decided = 'この書き込みには、すでにほかの人が対応しました。'
export const last_admin_role = 'ほかに管理者がいないため、権限を外せません。先に別の管理者を任命してください。'
export const category_last = '最後のカテゴリは削除できません。'
export const category_busy = 'このカテゴリには次々とスレッドが立てられています。もう一度お試しください。'
export const category_move_self = '移動先には別のカテゴリを選んでください。'
export const user_not_found = 'その会員は見つかりませんでした。'
export const role_needs_email = 'メールアドレスのない会員には権限を与えられません。'
export const tracing_running = 'このスレッドは、すでに一時記録の対象です。'
export const tracing_none = 'このスレッドは、一時記録の対象ではありません。'
export const staff_only = '運営として書き込めるのは、担当するカテゴリだけです。'
export const out_of_scope = 'このカテゴリを担当する権限がありません。'
export const news_name_required = '名前を入力してください。'
export const news_name_too_long = `名前は${staffLimits.NEWS_NAME.max}文字以内で入力してください。`
export const news_url_bad = 'http:// または https:// で始まるフィードのアドレスを入力してください。'
export const news_language_bad = '言語は ja や en のように入力してください。'
export const news_interval_range = `間隔は${staffLimits.NEWS_INTERVAL_MINUTES.min}〜${inFigures(staffLimits.NEWS_INTERVAL_MINUTES.max)}分の整数で入力してください。`
export const news_source_taken = 'そのフィードはすでに登録されています。'
export const news_sources_full = `登録できるフィードは${limits.NEWS_SOURCES_MAX}件までです。`
export const news_source_not_found = 'その情報源は見つかりませんでした。'
export const news_story_not_found = 'その記事は見つかりませんでした。'
export const news_story_state = 'この記事には、すでにほかの操作が行われました。'
export const news_story_not_kept = `本文の保存期間（${limits.NEWS_TEXT_DAYS}日）が過ぎたため、要約し直せません。`
export const news_story_corrected =
  'この要約は、ほかの人がすでに訂正しました。いまの文を見比べてから、もう一度送ってください。'
export const news_opening_removed = '最初の書き込みが削除されているため、訂正できません。'
export const news_opml_bad = 'OPMLファイルを読み取れませんでした。'
export const news_opml_too_large = `OPMLファイルは${inFigures(limits.NEWS_OPML_CHARACTERS)}文字まで読み込めます。分けてお試しください。`
export const news_sentence_required = '要約の文を入力してください。'
export const news_sentence_too_long = `要約の一文は${staffLimits.NEWS_SENTENCE.max}文字以内で入力してください。`
export const news_headline_text = '見出しのみの紹介です。くわしくは元記事をご覧ください。'
export const news_sentences_count = '文の数は変えられません。'
export const withdrawal_not_found = 'このスレッドに取り下げの記録はありません。'
export const summary_not_found = 'このスレッドに要約の記録はありません。'

export const notebook_file_bad =
  '帳面のファイルとして読み取れませんでした。「帳面を書き出す」で作ったファイルを選んでください。帳面は変わっていません。'
export const notebook_file_newer =
  'このファイルは新しい版の忍板で書き出されたものです。ページを読み込み直してから、もう一度お試しください。帳面は変わっていません。'
export const notebook_file_too_large = '読み込めるファイルは5MBまでです。帳面は変わっていません。'
export const notebook_failed = '帳面を開けませんでした。もう一度お試しください。'
export const notebook_stored_unknown = 'アカウントの記録を確かめられませんでした。'
export const notebook_not_changed = '帳面に書き込めませんでした。もう一度お試しください。'
export const positions_too_many = `一度に調べられるスレッドは${limits.POSITIONS_MAX}件までです。`

export const dashboard_failed = 'ダッシュボードを読み込めませんでした。もう一度お試しください。'
export const confirm_delete_thread = 'このスレッドを削除しますか？書き込みもすべて削除されます。'
export const confirm_delete_post = 'この書き込みを削除しますか？'
export const confirm_delete_category = 'このカテゴリを削除しますか？'
export const category_delete_empty =
  'スレッドがなければ、このカテゴリの書き込みの制限は解除され、ニュースの情報源は止まります。'
export const category_delete_moves =
  '書き込みの制限、担当のモデレーター、ニュースの情報源も移ります。担当のモデレーターは、移動先にもとからあるスレッドも受け持ちます。'
