/**
 * Every message of the board's error catalogue (SPEC §8) and of the limits, in Japanese, for both ends.
 * Where SPEC gives an exact text it stands here letter for letter.
 */
import * as limits from './limits.ts'

const megabytes = (bytes: number): string => `${bytes / 1_048_576}MB`

export const messages = {
  // Anything
  unexpected: 'エラーが発生しました。もう一度お試しください。',
  network: '通信エラーが発生しました。接続を確かめて、もう一度お試しください。',
  unavailable: 'ただいま混み合っているか、点検中です。少し待ってからもう一度お試しください。',
  stopping: 'サーバーを再起動しています。少し待ってからもう一度お試しください。',
  not_found: 'お探しのものは見つかりませんでした。',
  bad_request: '送られた内容を読み取れませんでした。',
  bad_origin: 'このサイト以外からの操作は受け付けていません。',
  unauthorized: 'ログインが必要です。',
  forbidden: 'この操作を行う権限がありません。',
  payload_too_large: '送られたデータが大きすぎます。',
  unsupported_media_type: 'この形式のデータは受け付けていません。',
  too_many_requests: '操作が多すぎます。少し待ってからもう一度お試しください。',
  bad_cursor: '続きの位置を読み取れませんでした。一覧を開き直してください。',
  bad_id: '指定されたIDが正しくありません。',
  disk_full: 'ただいま保存できません。時間をおいてもう一度お試しください。',

  // Categories
  category_failed: 'カテゴリの取得に失敗しました',
  categories_failed: 'カテゴリの取得に失敗しました。もう一度お試しください。',
  category_not_found: 'そのカテゴリは見つかりませんでした。',
  category_required: 'カテゴリを選んでください',
  category_name_taken: 'その名前のカテゴリはすでにあります。',
  category_has_threads: (count: number) => `このカテゴリには${count}件のスレッドがあります。移動先を選んでください。`,

  // Threads
  threads_failed: 'スレッド一覧の取得に失敗しました',
  thread_not_found: 'そのスレッドは見つかりませんでした。',
  thread_create_failed: (reason: string) => `エラー: ${reason}`,
  thread_create_network: '通信エラーが発生しました。入力した内容は残っています。もう一度お試しください。',
  unknown_error: '不明なエラー',
  title_and_content_required: 'タイトルと内容を入力してください',
  title_too_short: `タイトルは${limits.TITLE.min}文字以上で入力してください`,
  title_too_long: `タイトルは${limits.TITLE.max}文字以内で入力してください`,
  title_bad_characters: 'タイトルに使えない文字が含まれています',
  search_too_long: `検索キーワードは${limits.SEARCH.max}文字以内で入力してください`,

  // Posts
  posts_failed: '投稿の取得に失敗しました。もう一度お試しください。',
  post_not_found: 'その書き込みは見つかりませんでした。',
  post_failed: '投稿できませんでした。もう一度お試しください。',
  content_required: '内容を入力してください',
  content_too_long: `内容は${limits.POST.max.toLocaleString('ja-JP')}文字以内で入力してください`,
  content_bad_characters: '内容に使えない文字が含まれています',
  banned_word: '使用できない言葉が含まれているため、投稿できません。',
  thread_locked: 'このスレッドには書き込めません。',
  spam: (minutes: number) =>
    `短い時間に投稿が続いたため、スパムとして制限されています。約${minutes}分後にもう一度お試しください。`,
  post_deleted: 'この書き込みは削除されました',
  client_id_reused: 'すでに別の内容で送られています。もう一度お試しください。',

  // Nicknames
  nickname_required: 'ニックネームを入力してください',
  nickname_missing: 'ニックネームが設定されていません',
  nickname_too_long: `ニックネームは${limits.NICKNAME.max}文字以内で入力してください`,
  nickname_bad_characters: 'ニックネームに使えない文字が含まれています',
  nickname_taken: 'このニックネームは使用できません',
  nickname_available: 'このニックネームは使用できます',
  nickname_check_failed: 'ニックネームを確認できませんでした。接続を確かめてください。',

  // Images
  image_too_large: `画像サイズが大きすぎます（最大${megabytes(limits.IMAGE_MAX_BYTES)}）`,
  image_type: '対応していない画像形式です。JPEG、PNG、GIF、WebPのみ使用できます。',
  image_broken: '画像を読み取れませんでした。別の画像をお試しください。',
  image_too_many_pixels: '画像の縦横が大きすぎます。小さくしてからお試しください。',
  uploads_limited: '画像の送信が多すぎます。少し待ってからもう一度お試しください。',

  // Likes
  thread_like_failed: 'いいね処理中にエラーが発生しました',
  thread_unlike_failed: 'いいね取り消し中にエラーが発生しました',
  like_outer_failed: '処理中にエラーが発生しました',
  post_like_failed: 'いいね中にエラーが発生しました',
  post_unlike_failed: 'いいね取り消し中にエラーが発生しました',

  // Reports
  report_reason_short: `通報の理由は${limits.REPORT_REASON.min}文字以上で入力してください`,
  report_reason_long: `通報の理由は${limits.REPORT_REASON.max}文字以内で入力してください`,
  report_failed: (reason: string) => `通報の送信に失敗しました: ${reason}`,
  report_exception: '通報の処理中にエラーが発生しました',
  report_received: '通報を受け付けました',

  // Accounts
  login_required_fields: 'ユーザー名とパスワードは必須です',
  login_failed: 'ログインに失敗しました',
  google_login_failed: 'Googleログインに失敗しました',
  google_unavailable: 'Googleログインは現在利用できません',
  register_required_fields: '全てのフィールドを入力してください',
  email_invalid: '有効なメールアドレスを入力してください',
  register_failed: '登録に失敗しました',
  register_succeeded: '登録成功',
  google_register_failed: 'Google登録に失敗しました',
  google_register_succeeded: 'Google登録成功',
  username_length: `ユーザー名は${limits.USERNAME.min}〜${limits.USERNAME.max}文字で入力してください`,
  username_bad_characters: 'ユーザー名に使えない文字が含まれています',
  username_banned: 'ユーザー名に使用できない言葉が含まれています',
  username_taken: 'このユーザー名はすでに使われています',
  email_taken: 'このメールアドレスはすでに登録されています',
  password_length: `パスワードは${limits.PASSWORD.min}〜${limits.PASSWORD.max}文字で入力してください`,
  verify_failed: '認証に失敗しました。もう一度ログインしてください。',
  token_refresh_failed: 'トークンの更新に失敗しました',
  logout_failed: 'ログアウトに失敗しました。もう一度お試しください。',
  profile_failed: 'エラーが発生しました',
  profile_image_too_large: `ファイルサイズは${megabytes(limits.PROFILE_IMAGE_MAX_BYTES)}以下にしてください`,
  profile_image_type: '画像ファイルを選んでください',
  profile_image_missing: '画像ファイルを選択してください',
  profile_image_failed: '画像のアップロードに失敗しました',

  session_expired: 'ログインの有効期限が切れました。もう一度ログインしてください。',
  login_limited: (minutes: number) => `ログインの試行が多すぎます。約${minutes}分後にもう一度お試しください。`,
  register_limited: '登録の試行が多すぎます。少し待ってからもう一度お試しください。',
  google_email_unverified: 'Googleでメールアドレスの確認が済んでいないため、利用できません。',
  google_login_succeeded: 'Googleでログインしました',
  google_joined_password_dropped:
    'Googleでログインしました。このメールアドレスは未確認だったため、以前のパスワードは使えなくなりました。プロフィールで新しく設定できます。',
  password_too_common: 'このパスワードは推測されやすいため使えません',
  password_wrong: '現在のパスワードが違います',
  password_changed: 'パスワードを変更しました。ほかの端末はログアウトしました。',
  password_reset_sent:
    '登録されているメールアドレスであれば、再設定の案内を送りました。届かないときは、迷惑メールの中もご確認ください。',
  password_reset_done: 'パスワードを再設定しました。新しいパスワードでログインしてください。',
  password_reset_unavailable: 'この板ではメールを送れません。パスワードの再設定は管理者に連絡してください。',
  link_invalid: 'このリンクは使えないか、有効期限が切れています。もう一度お試しください。',
  email_verification_sent: '確認のメールを送りました。メールの中のリンクを開いてください。',
  email_verified: 'メールアドレスを確認しました。',
  email_missing: 'メールアドレスが登録されていません。',
  mail_unavailable: 'この板ではメールを送れません。',
  mail_failed: 'メールを送れませんでした。時間をおいてもう一度お試しください。',
  name_changed_too_often: '名前の変更が続いたため、しばらく変更できません。時間をおいてお試しください。',
  account_delete_unconfirmed: '確認のため、ユーザー名を正しく入力してください',
  last_admin: 'ほかに管理者がいないため、退会できません。先に別の管理者を任命してください。',
  session_not_found: 'その端末はすでにログアウトしています。',
  likes_limited: '天照が続きすぎています。少し待ってからもう一度お試しください。',
  reports_limited: '通報が続いたため、少し待ってからもう一度お試しください。',

  // Moderation, as visitors meet it
  post_held: '書き込みを受け付けました。確認が済むと表示されます。',
  thread_held: 'スレッドを受け付けました。確認が済むと表示されます。',
  held_full: '確認を待っている書き込みが多いため、これ以上受け付けられません。しばらくお待ちください。',
  post_folded: '多くの通報があったため、折りたたんでいます',
  banned: (reason: string, until: string | null) =>
    `書き込みが制限されています。理由：${reason}／${until === null ? '期限：なし' : `解除：${until}`}`,
  cooldown: (seconds: number) => `続けて書き込むまで、あと${seconds}秒お待ちください。`,
  shield_cooldown: (seconds: number) => `結界を張っています。続けて書き込むまで、あと${seconds}秒お待ちください。`,
  shield_proof: '結界を張っています。初めての方の書き込みの前に、ブラウザで自動の確認を行います。',
  shield_locked: '結界を張っています。初めての方の書き込みを一時的に止めています。しばらくしてからお試しください。',
  proof_failed: '確認に失敗しました。もう一度お試しください。',
  held_not_found: 'その書き込みの記録は見つかりませんでした。',

  // Second factor
  code_required: '認証アプリの6桁のコードを入力してください',
  code_wrong: 'コードが違うか、使用済みです。新しいコードでお試しください。',
  second_factor_missing: '管理画面を使うには、二段階認証の設定が必要です。プロフィールから設定してください。',
  second_factor_unavailable: '二段階認証は、管理者とモデレーターが使えます。',
  second_factor_exists: '二段階認証はすでに設定されています。',
  second_factor_none: '二段階認証は設定されていません。',

  // Administration
  reason_required: '理由を入力してください',
  reason_too_long: `${limits.MODERATION_REASON.max}文字以内で入力してください`,
  rule_required: '理由となる規約を選んでください',
  setting_range: (min: number, max: number) =>
    `${min.toLocaleString('ja-JP')}〜${max.toLocaleString('ja-JP')}の整数で入力してください`,
  setting_rising: '段階が上がるごとに大きい値にしてください',
  banner_too_long: `お知らせは${limits.BANNER.max}文字以内で入力してください`,
  word_required: '言葉を入力してください',
  word_too_long: `言葉は${limits.WORD.max}文字以内で入力してください`,
  word_empty: '記号だけの言葉は登録できません',
  word_taken: 'その言葉はすでに登録されています。',
  words_full: `登録できる言葉は${limits.WORDS_MAX.toLocaleString('ja-JP')}件までです。`,
  word_not_found: 'その言葉は見つかりませんでした。',
  /** In the list of bans, for the name of whoever has left. */
  departed_member: '退会した会員',
  ban_not_found: 'その制限は見つかりませんでした。',
  ban_impossible: 'この相手には、その方法の制限をかけられません。',
  ban_self: '自分や管理者を制限することはできません。',
  case_not_found: 'その通報は見つかりませんでした。',
  case_closed: 'この通報には、すでにほかの人が対応しました。',
  action_not_undoable: 'この操作は取り消せません。',
  action_undone: 'この操作はすでに取り消されています。',
  action_too_old: `取り消せるのは${limits.UNDO_HOURS}時間以内の操作だけです。`,
  post_already_removed: 'この書き込みはすでに削除されています。',
  post_not_removed: 'この書き込みは削除されていません。',
  post_purged: 'この書き込みの内容はすでに消去されています。',
  thread_already_removed: 'このスレッドはすでに削除されています。',
  thread_unchanged: 'このスレッドは、すでにその状態です。',
  thread_not_removed: 'このスレッドは削除されていません。',
  held_writer_gone: 'この書き込みの投稿者は退会しています。',
  held_name_taken: 'このニックネームはほかの人のものになったため、公開できません。',
  held_decided: 'この書き込みには、すでにほかの人が対応しました。',
  last_admin_role: 'ほかに管理者がいないため、権限を外せません。先に別の管理者を任命してください。',
  category_last: '最後のカテゴリは削除できません。',
  category_busy: 'このカテゴリには次々とスレッドが立てられています。もう一度お試しください。',
  category_move_self: '移動先には別のカテゴリを選んでください。',
  user_not_found: 'その利用者は見つかりませんでした。',
  role_needs_email: 'メールアドレスのない利用者には権限を与えられません。',
  tracing_running: 'このスレッドは、すでに一時記録の対象です。',
  tracing_none: 'このスレッドは、一時記録の対象ではありません。',
  out_of_scope: 'このカテゴリを担当する権限がありません。',
  news_name_required: '出典の名前を入力してください',
  news_name_too_long: `出典の名前は${limits.NEWS_NAME.max}文字以内で入力してください`,
  news_url_bad: 'http:// または https:// で始まるフィードのアドレスを入力してください',
  news_language_bad: '言語は ja や en のように入力してください',
  news_interval_range: `間隔は${limits.NEWS_INTERVAL_MINUTES.min}〜${limits.NEWS_INTERVAL_MINUTES.max.toLocaleString('ja-JP')}分の整数で入力してください`,
  news_source_taken: 'そのフィードはすでに登録されています。',
  news_sources_full: `登録できるフィードは${limits.NEWS_SOURCES_MAX}件までです。`,
  news_source_not_found: 'その情報源は見つかりませんでした。',
  news_story_not_found: 'その記事は見つかりませんでした。',
  news_story_state: 'この記事には、すでにほかの操作が行われました。',
  news_opml_bad: 'OPMLファイルを読み取れませんでした。',
  news_sentence_required: '要約の文を入力してください',
  news_sentence_too_long: `要約の一文は${limits.NEWS_SENTENCE.max}文字以内で入力してください`,
  news_headline_text: '見出しのみの紹介です。くわしくは元記事をご覧ください。',
  news_sentences_count: '文の数は変えられません。',
  summary_not_found: 'このスレッドに要約の記録はありません。',

  dashboard_failed: 'ダッシュボードの取得に失敗しました',
  confirm_delete_thread: 'このスレッドを削除しますか？関連する投稿も削除されます。',
  confirm_delete_post: 'この投稿を削除しますか？',
  confirm_delete_category: 'このカテゴリを削除しますか？',
} as const

/** A message that needs no argument. */
export type MessageKey = {
  [K in keyof typeof messages]: (typeof messages)[K] extends string ? K : never
}[keyof typeof messages]
