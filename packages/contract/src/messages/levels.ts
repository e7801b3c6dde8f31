/** Messages about levels (忍法帖). */
export const scroll_failed = '忍法帖を読み込めませんでした。もう一度お試しください。'
export const phrase_unknown =
  'この合言葉は使えません。打ち間違い、期限切れ、使用済みのどれかです。もう一度確かめてください。'
export const phrase_required = '合言葉を入力してください。'
export const phrase_of_member = 'アカウントのレベルは、ログインすればどの端末でも同じです。合言葉は要りません。'
export const phrase_of_own = 'これは、このブラウザで作った合言葉です。移したい先のブラウザで入力してください。'
export const scroll_empty = 'まだレベルがないため、移せません。'
export const scroll_not_higher = 'いまのレベルより高くならないため、移しませんでした。'
export const scroll_moved_before =
  'このレベルのブラウザは、前のレベルを別のブラウザへ移しています。30日たつまでは、その移した先にだけ移せます。'
export const scrolls_limited = '合言葉の操作が続きました。しばらく待ってからお試しください。'
