/**
 * Every message of errors and of limits, in Japanese, for both ends. Those that
 * docs/product.md#messages lists are fixed, letter for letter.
 */
import * as limits from './limits.ts'

const megabytes = (bytes: number): string => `${bytes / 1_048_576}MB`

// General
export const unexpected = 'エラーが発生しました。もう一度お試しください。'
export const network = '通信エラーが発生しました。接続を確かめて、もう一度お試しください。'
export const try_again = 'もう一度お試しください。'
export const check_line = '接続を確かめて、もう一度お試しください。'
export const unavailable = 'ただいま混み合っているか、点検中です。少し待ってからもう一度お試しください。'
export const stopping = 'サーバーを再起動しています。少し待ってからもう一度お試しください。'
/** @param first which character, and where */
export const bad_characters = (first: string) =>
  `使えない文字があります（重ねすぎた記号、見えない文字など）。最初は${first}です。`
export const not_found = 'お探しのものは見つかりませんでした。'
export const bad_request = '送られた内容を読み取れませんでした。'
export const bad_origin = 'このサイト以外からの操作は受け付けていません。'
export const unauthorized = 'ログインが必要です。'
export const forbidden = 'この操作を行う権限がありません。'
export const payload_too_large = '送られたデータが大きすぎます。'
export const unsupported_media_type = 'この形式のデータは受け付けていません。'
export const too_many_requests = '操作が多すぎます。少し待ってからもう一度お試しください。'
export const bad_cursor = '続きの位置を読み取れませんでした。一覧を開き直してください。'
export const bad_id = '指定されたIDが正しくありません。'
export const read_only = 'ただいま読み取り専用です。書き込みや登録は、再開までお待ちください。'
export const disk_full =
  'サーバーの空き容量が足りないため、書き込みを受け付けられません。時間をおいてもう一度お試しください。'
export const disk_full_pictures =
  'サーバーの空き容量が足りないため、画像を受け付けられません。文章だけの書き込みは続けられます。'

// Categories
export const category_failed = 'カテゴリを読み込めませんでした。もう一度お試しください。'
export const categories_failed = 'カテゴリを読み込めませんでした。もう一度お試しください。'
export const category_not_found = 'そのカテゴリは見つかりませんでした。'
export const category_required = 'カテゴリを選んでください。'
export const category_name_required = 'カテゴリの名前を入力してください。'
export const category_name_too_long = `カテゴリの名前は${limits.CATEGORY_NAME.max}文字以内で入力してください。`
export const category_description_too_long = `カテゴリの説明は${limits.CATEGORY_DESCRIPTION.max}文字以内で入力してください。`
export const category_name_taken = 'その名前のカテゴリはすでにあります。'
export const category_has_threads = (count: number) =>
  `このカテゴリには${count}件のスレッドがあります。移動先を選んでください。`

// Threads
export const threads_failed = 'スレッド一覧を読み込めませんでした。もう一度お試しください。'
export const thread_not_found = 'そのスレッドは見つかりませんでした。'
export const thread_create_failed = (reason: string) => `エラー: ${reason}`
export const thread_create_network = '通信エラーが発生しました。入力した内容は残っています。もう一度お試しください。'
export const thread_create_unknown = 'スレッドを立てられませんでした。もう一度お試しください。'
export const thread_created = 'スレッドを立てました。'
export const title_and_content_required = 'タイトルと内容を入力してください。'
export const title_required = 'タイトルを入力してください。'
export const title_too_short = `タイトルは${limits.TITLE.min}文字以上で入力してください。`
export const title_too_long = `タイトルは${limits.TITLE.max}文字以内で入力してください。`
export const too_slow = '送信に時間がかかりすぎました。通信の安定した場所で、もう一度お試しください。'
export const search_too_broad = '語が広すぎます。語を足すか、もう少し長い語でお探しください。'
export const list_too_broad =
  '条件に当てはまるものが多すぎます。言葉を長くするか、期間やカテゴリでも絞り込んでください。'
export const search_limited = '検索が続きました。少し待ってからお試しください。'
export const search_name_too_long = `名前は${limits.NICKNAME.max}文字以内で入力してください。`
export const find_failed = 'スレ内を検索できませんでした。もう一度お試しください。'
export const search_too_long = `検索キーワードは${limits.SEARCH.max}文字以内で入力してください。`

// Posts
export const posts_failed = '書き込みを読み込めませんでした。もう一度お試しください。'
export const writer_unknown = 'この書き込みを誰が書いたかは、記録が残っていません。'
export const post_not_found = 'その書き込みは見つかりませんでした。'
export const post_failed = '書き込めませんでした。もう一度お試しください。'
export const content_required = '内容を入力してください。'
export const content_too_long = `内容は${limits.POST.max.toLocaleString('ja-JP')}文字以内で入力してください。`
export const banned_word = '使えない言葉が含まれているため、書き込めません。'
export const thread_locked = 'このスレッドには書き込めません。'
export const thread_full = (posts: number) =>
  `このスレッドは${posts.toLocaleString('ja-JP')}件に達しました。次のスレッドへどうぞ。`
export const next_thread_exists = '次スレはもう立っています。'
export const spam = (minutes: number) =>
  `短い間に書き込みが続いたため、いまは書き込めません。約${minutes}分後にもう一度お試しください。`
export const post_deleted = 'この書き込みは削除されました'
export const client_id_reused = 'この書き込みは送信済みです。画面を読み込み直してください。'

// Nicknames
export const nickname_required = 'ニックネームを入力してください。'
export const nickname_missing = '名前を決めてから書き込んでください。'
export const nickname_too_long = `ニックネームは${limits.NICKNAME.max}文字以内で入力してください。`
export const nickname_taken = 'この名前はほかの人が使っているか、使えない言葉を含んでいます。'
export const nickname_available = 'このニックネームは使用できます。'
export const nickname_check_failed = 'ニックネームを確認できませんでした。接続を確かめてください。'

// Images
export const image_too_large = `画像サイズが大きすぎます（最大${megabytes(limits.IMAGE_MAX_BYTES)}）`
export const image_type = '対応していない画像形式です。JPEG、PNG、GIF、WebPのみ使用できます。'
export const image_broken = '画像を読み取れませんでした。別の画像をお試しください。'
export const image_too_long = '画像が縦か横に長すぎます。切り分けてからお試しください。'
export const image_too_many_pixels = '画像の縦横が大きすぎます。小さくしてからお試しください。'
export const uploads_limited = '画像の送信が多すぎます。少し待ってからもう一度お試しください。'
export const image_bytes_limited = '1日に送信できる画像の量を超えました。時間をおいてもう一度お試しください。'
export const images_full =
  '画像の保存場所がいっぱいのため、いまは画像を受け付けていません。文字だけの書き込みはできます。'

// Likes
export const thread_like_failed = 'いいね処理中にエラーが発生しました'
export const thread_unlike_failed = 'いいね取り消し中にエラーが発生しました'
export const like_outer_failed = '処理中にエラーが発生しました'
export const post_like_failed = 'いいね中にエラーが発生しました'
export const post_unlike_failed = 'いいね取り消し中にエラーが発生しました'

// Reports
export const report_reason_short = `通報の理由は${limits.REPORT_REASON.min}文字以上で入力してください。`
export const report_reason_long = `通報の理由は${limits.REPORT_REASON.max}文字以内で入力してください。`
export const report_failed = (reason: string) => `通報を送れませんでした：${reason}`
export const report_exception = '通報できませんでした。もう一度お試しください。'
export const report_received = '通報を受け付けました'

// Accounts
export const login_required_fields = 'ユーザー名とパスワードは必須です'
export const login_failed = 'ログインに失敗しました'
export const login_failed_because = (reason: string) => `ログインに失敗しました。${reason}`
export const login_wrong = '会員名かパスワードが違います。'
export const google_login_failed = 'Googleログインに失敗しました'
export const google_unavailable = 'Googleログインは現在利用できません。'
export const register_required_fields = '全てのフィールドを入力してください'
export const email_invalid = '有効なメールアドレスを入力してください'
export const register_failed = '登録に失敗しました'
export const register_succeeded = '登録成功'
export const google_register_failed = 'Google登録に失敗しました'
export const google_register_succeeded = 'Google登録成功'
export const name_required = '名前を入力してください。'
export const username_length = `会員名は${limits.USERNAME.min}〜${limits.USERNAME.max}文字で入力してください。`
export const username_at = '会員名に「@」は使えません。'
export const username_banned = '会員名に使えない言葉が含まれています。'
export const username_taken = 'この会員名はすでに使われています。'
export const email_taken = 'このメールアドレスの会員は、別のGoogleアカウントと連携しています。'
export const password_length = `パスワードは${limits.PASSWORD.min}〜${limits.PASSWORD.max}文字で入力してください。`
export const verify_failed = '認証に失敗しました。もう一度ログインしてください。'
export const token_refresh_failed = 'トークンの更新に失敗しました。'
export const logout_failed = 'ログアウトに失敗しました。もう一度お試しください。'
export const profile_failed = 'エラーが発生しました'
export const profile_image_too_large = `ファイルサイズは${megabytes(limits.PROFILE_IMAGE_MAX_BYTES)}以下にしてください`
export const profile_image_type = '画像ファイルを選んでください。'
export const profile_image_missing = '画像ファイルを選択してください。'
export const profile_image_failed = '画像のアップロードに失敗しました。'

export const session_expired = 'ログインの有効期限が切れました。もう一度ログインしてください。'
export const login_limited = (minutes: number) =>
  `ログインの試行が多すぎます。約${minutes}分後にもう一度お試しください。`
export const register_limited = '登録の試行が多すぎます。少し待ってからもう一度お試しください。'
export const google_email_unverified = 'Googleでメールアドレスの確認が済んでいないため、利用できません。'
export const google_login_succeeded = 'Googleでログインしました'
export const password_too_common = 'このパスワードは推測されやすいため使えません。'
export const password_wrong = '現在のパスワードが違います。'
export const password_changed = 'パスワードを変更しました。ほかの端末はログアウトしました。'
export const password_reset_sent =
  '会員が確認したメールアドレスであれば、再設定の案内を送りました。届かないときは、迷惑メールの中もご確認ください。'
export const password_reset_done = 'パスワードを再設定しました。新しいパスワードでログインしてください。'
export const password_reset_unavailable = 'この板ではメールを送れません。パスワードの再設定は管理者に連絡してください。'
export const link_invalid = 'このリンクは使えないか、有効期限が切れています。もう一度お試しください。'
export const email_verification_sent = '確認のメールを送りました。メールの中のリンクを開いてください。'
export const email_verification_waiting = '確認のメールを順に送っています。届くまでに時間がかかることがあります。'
export const email_verified = 'メールアドレスを確認しました。'
export const email_missing = 'メールアドレスが登録されていません。'
export const mail_unavailable = 'この板ではメールを送れません。'
export const mail_refused = 'このアドレスにはメールを送れませんでした。アドレスに誤りがないかお確かめください。'
export const name_changed_too_often = '名前の変更が続いたため、しばらく変更できません。時間をおいてお試しください。'
export const account_delete_unconfirmed = '確認のため、会員名を正しく入力してください。'
export const last_admin = 'ほかに管理者がいないため、退会できません。先に別の管理者を任命してください。'
export const session_not_found = 'その端末はすでにログアウトしています。'
export const likes_limited = 'いいねが続きました。少し待ってからお試しください。'
export const reports_limited = '通報が続いたため、少し待ってからもう一度お試しください。'

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

// Second factor
export const code_required = '認証アプリの6桁のコードを入力してください。'
export const code_wrong = 'コードが違うか、使用済みです。新しいコードでお試しください。'
export const second_factor_missing =
  '管理画面を使うには、二段階認証の設定が必要です。プロフィールから設定してください。'
export const second_factor_unavailable = '二段階認証は、管理者とモデレーターが使えます。'
export const second_factor_exists = '二段階認証はすでに設定されています。'
export const second_factor_none = '二段階認証は設定されていません。'

// Administration
export const reason_required = '理由を入力してください。'
export const reason_too_long = `${limits.MODERATION_REASON.max}文字以内で入力してください。`
export const rule_required = '理由となる規約を選んでください。'
export const setting_range = (min: number, max: number) =>
  `${min.toLocaleString('ja-JP')}〜${max.toLocaleString('ja-JP')}の整数で入力してください。`
export const setting_rising = '段階が上がるごとに大きい値にしてください。'
export const banner_too_long = `お知らせは${limits.BANNER.max}文字以内で入力してください。`
export const word_required = '言葉を入力してください。'
export const word_too_long = `言葉は${limits.WORD.max}文字以内で入力してください。`
export const word_empty = '記号だけの言葉は登録できません。'
export const word_taken = 'その言葉はすでに登録されています。'
export const words_full = `登録できる言葉は${limits.WORDS_MAX.toLocaleString('ja-JP')}件までです。`
export const word_not_found = 'その言葉は見つかりませんでした。'
/** Shown in the list of bans in place of the name of a member who has left. */
export const departed_member = '退会した会員'
/**
 * Shown to moderators of some categories in place of the name of any other moderator or
 * administrator.
 */
export const staff = '運営'
export const ban_not_found = 'その制限は見つかりませんでした。'
export const ban_impossible = 'この相手には、その方法の制限をかけられません。'
export const ban_rank = '自分と、自分以上の権限を持つ人を制限することはできません。'
export const mute_rank = '自分以上の権限を持つ人の通報は除外できません。'
export const ban_own = '自分にかかった制限は、自分では解除できません。管理者に相談してください。'
export const case_not_found = 'その通報は見つかりませんでした。'
export const case_closed = 'この通報には、すでにほかの人が対応しました。'
export const action_not_undoable = 'この操作は取り消せません。'
export const action_undone = 'この操作はすでに取り消されています。'
export const action_too_old = `取り消せるのは${limits.UNDO_HOURS}時間以内の操作だけです。`
export const post_already_removed = 'この書き込みはすでに削除されています。'
export const post_not_removed = 'この書き込みは削除されていません。'
export const post_purged = 'この書き込みの内容はすでに消去されています。'
export const thread_already_removed = 'このスレッドはすでに削除されています。'
export const thread_unchanged = 'このスレッドは、すでにその状態です。'
export const thread_not_removed = 'このスレッドは削除されていません。'
export const held_writer_gone = 'この書き込みをした人は退会しています。'
export const held_name_taken = 'このニックネームはほかの人のものになったため、公開できません。'
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
export const news_name_too_long = `名前は${limits.NEWS_NAME.max}文字以内で入力してください。`
export const news_url_bad = 'http:// または https:// で始まるフィードのアドレスを入力してください。'
export const news_language_bad = '言語は ja や en のように入力してください。'
export const news_interval_range = `間隔は${limits.NEWS_INTERVAL_MINUTES.min}〜${limits.NEWS_INTERVAL_MINUTES.max.toLocaleString('ja-JP')}分の整数で入力してください。`
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
export const news_opml_too_large = `OPMLファイルは${limits.NEWS_OPML_CHARACTERS.toLocaleString('ja-JP')}文字まで読み込めます。分けてお試しください。`
export const news_sentence_required = '要約の文を入力してください。'
export const news_sentence_too_long = `要約の一文は${limits.NEWS_SENTENCE.max}文字以内で入力してください。`
export const news_headline_text = '見出しのみの紹介です。くわしくは元記事をご覧ください。'
export const news_sentences_count = '文の数は変えられません。'
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

// Hiding (NG)

export const hiding_text_missing = '隠すものを入力してください。'
export const hiding_text_long = '200文字以内で入力してください。'
export const hiding_pattern_invalid = 'この正規表現は使えません。書き方を確かめてください。'
export const hiding_picture_failed = '画像を調べられませんでした。もう一度お試しください。'
