/** Messages about reading and writing posts. */
import { inFigures } from '../in-figures.ts'
import * as limits from '../limits.ts'

const megabytes = (bytes: number): string => `${bytes / 1_048_576}MB`

// Posts
export const posts_failed = '書き込みを読み込めませんでした。もう一度お試しください。'
export const writer_unknown = 'この書き込みを誰が書いたかは、記録が残っていません。'
export const post_not_found = 'その書き込みは見つかりませんでした。'
export const post_failed = '書き込めませんでした。もう一度お試しください。'
export const content_required = '内容を入力してください。'
export const content_too_long = `内容は${inFigures(limits.POST.max)}文字以内で入力してください。`
export const banned_word = '使えない言葉が含まれているため、書き込めません。'
export const thread_locked = 'このスレッドには書き込めません。'
export const thread_full = (posts: number) => `このスレッドは${inFigures(posts)}件に達しました。次のスレッドへどうぞ。`
export const next_thread_exists = '次スレはもう立っています。'
export const spam = (minutes: number) =>
  `短い間に書き込みが続いたため、いまは書き込めません。約${minutes}分後にもう一度お試しください。`
export const post_deleted = 'この書き込みは削除されました'
export const post_withdrawn = 'その書き込みは書いた人が削除しました'
export const own_post_only = '削除できるのは、書いた本人だけです。'
export const own_delete_off = 'この板では、書き込みをあとから削除できません。'
export const own_delete_late = (minutes: number) =>
  `書き込みから${minutes}分を過ぎたため、削除できません。困ったことがあれば、通報から運営へお知らせください。`
export const own_thread_answered =
  'ほかの人の書き込みがあるため、スレッドごと削除することはできません。困ったことがあれば、通報から運営へお知らせください。'
export const client_id_reused = 'この書き込みは送信済みです。画面を読み込み直してください。'

export const unsent_waiting = '電波が戻ったら送ります。'
export const unsent_later = 'いまは受け付けられません。少し待ってから送ります。'
export const unsent_full = `送信を待つ書き込みは${limits.UNSENT_MAX}件までです。先のものを取り消すか、電波が戻るのをお待ちください。`
export const unsent_key_lost =
  'トリップの鍵がこのブラウザに残っていません。「編集」で本文を戻し、名前を決めてから送ってください。'

// Nicknames
export const nickname_required = 'ニックネームを入力してください。'
export const nickname_missing = '名前を決めてから書き込んでください。'
export const trip_key_length = `トリップの鍵（#のあと）は${limits.TRIP_KEY.max}文字以内で入力してください。`
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
export const image_too_slow = 'この画像は処理に時間がかかりすぎます。小さくしてからお試しください。'
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
export const report_received = '通報を受け付けました。'

// Hiding (NG)
export const hiding_text_missing = '隠すものを入力してください。'
export const hiding_text_long = `${limits.HIDING_TEXT.max}文字以内で入力してください。`
export const hiding_pattern_invalid = 'この正規表現は使えません。書き方を確かめてください。'
export const hiding_picture_failed = '画像を調べられませんでした。もう一度お試しください。'
export const hiding_account_full = `アカウントに保存できるNG設定は${limits.HIDING_RULES_MAX}件までです。このブラウザの設定はそのまま使えます。ほかの端末にも届けるには、使わない設定を外してください。`
export const hiding_account_waits =
  'まだアカウントに届いていません。このブラウザに残っているので、つながったときにまた送ります。'
