/** Messages about notices by Web Push. */
export const push_off = 'この板では、閉じている間の通知を使えません。'
export const push_unknown_service = 'このブラウザが使う通知サービスには、この板から送れません。'
export const push_bad_keys = '通知の登録を読み取れませんでした。いったんオフにして、もう一度お試しください。'
export const push_unknown = '通知の登録が見つかりませんでした。いったんオフにして、もう一度お試しください。'
export const push_not_taken = '通知サービスに送れませんでした。しばらく待ってから、もう一度お試しください。'
export const push_limited = '通知の登録が続きました。しばらく待ってからお試しください。'
export const push_failed = '通知を登録できませんでした。もう一度お試しください。'
