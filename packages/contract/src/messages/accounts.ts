/** Messages about a member's account. */
import * as limits from '../limits.ts'

const megabytes = (bytes: number): string => `${bytes / 1_048_576}MB`

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
/** To whoever is about to send an image, which a page does not keep when it is left. */
export const session_expired_with_image =
  'ログインの有効期限が切れました。このページを離れると画像が消えるため、別のタブでログインしてから送ってください。このまま送ると、会員名は付きません。'
export const session_unknown = 'ログインを確かめています。少し待ってからお試しください。'
export const login_limited = (minutes: number) =>
  `ログインの試行が多すぎます。約${minutes}分後にもう一度お試しください。`
export const register_limited = '登録の試行が多すぎます。少し待ってからもう一度お試しください。'
export const google_email_unverified = 'Googleでメールアドレスの確認が済んでいないため、利用できません。'
export const google_login_succeeded = 'Googleでログインしました。'
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
export const email_changed = 'メールアドレスを変えました。'
export const email_changed_unverified =
  'メールアドレスを変えました。確認のメールが届いたら、メールの中のリンクを開いてください。'
export const email_confirmed = '確認が済んだメールアドレスは変えられません。'
export const email_missing = 'メールアドレスが登録されていません。'
export const mail_unavailable = 'この板ではメールを送れません。'
export const mail_refused = 'このアドレスにはメールを送れませんでした。アドレスに誤りがないかお確かめください。'
export const name_changed_too_often = '名前の変更が続いたため、しばらく変更できません。時間をおいてお試しください。'
export const account_delete_unconfirmed = '確認のため、会員名を正しく入力してください。'
export const last_admin = 'ほかに管理者がいないため、退会できません。先に別の管理者を任命してください。'
export const session_not_found = 'その端末はすでにログアウトしています。'
export const likes_limited = 'いいねが続きました。少し待ってからお試しください。'
export const reports_limited = '通報が続いたため、少し待ってからもう一度お試しください。'

// Second factor
export const code_required = '認証アプリの6桁のコードを入力してください。'
export const code_wrong = 'コードが違うか、使用済みです。新しいコードでお試しください。'
export const second_factor_missing =
  '管理画面を使うには、二段階認証の設定が必要です。プロフィールから設定してください。'
export const second_factor_unavailable = '二段階認証は、管理者とモデレーターが使えます。'
export const second_factor_exists = '二段階認証はすでに設定されています。'
export const recovery_codes_lost =
  '有効になりましたが、復旧コードを受け取れませんでした。一度解除して設定し直してください。'
export const second_factor_none = '二段階認証は設定されていません。'
