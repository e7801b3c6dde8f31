/** Messages that any screen may show. */

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
