/** Messages about what the opener of a thread (スレ主) does in it. */
import * as limits from '../owner-limits.ts'

export const owner_only = 'スレ主の操作ができるのは、スレッドを立てた人だけです。'
export const owner_level = (level: number) => `スレ主の操作は、忍法帖のレベル${level}から使えます。`
export const owner_locked = 'このスレッドはロックされているため、スレ主の操作はできません。'
export const owner_note_required = '追記の内容を入力してください。'
export const owner_note_too_long = `追記は${limits.OWNER_NOTE.max}文字以内で入力してください。`
export const owner_notes_full = `追記できるのは${limits.OWNER_NOTES_MAX}件までです。`
export const owner_note_same = '同じ追記がすでにあります。'
export const owner_reason_required = '理由を入力してください。'
export const owner_reason_too_long = `理由は${limits.OWNER_REASON.max}文字以内で入力してください。`
export const owner_opening = '最初の書き込みは、折りたためません。'
export const owner_staff_post = '運営の書き込みは、折りたためません。'
export const owner_folded = 'この書き込みは、すでに折りたたまれています。'
export const owner_no_id = 'この書き込みにはIDがないため、止められません。'
export const owner_old_id = '止められるのは今日のIDだけです。日付が変わると、IDも変わります。'
export const owner_own_id = '自分と同じIDは止められません。'
export const owner_silenced = 'このIDは、すでに止めています。'
export const owner_final = '運営が取り消した操作は、やり直せません。'
export const owner_reopen = '閉じたスレッドを開け直せるのは、運営だけです。'
export const owner_limited = 'スレ主の操作が続きました。しばらく待ってからお試しください。'
export const owner_full = `このスレッドでは、スレ主の操作が${limits.OWNER_ACTIONS_MAX}件に達しました。困ったことがあれば、通報から運営へお知らせください。`
/** Shown to whoever writes under a silenced ID. */
export const id_silenced =
  'このIDからの書き込みは、スレ主が今日の終わり（日本時間の24時）まで止めています。ほかのスレッドには書き込めます。'
/** In place of a folded post, before the reason. */
export const post_folded_by_owner = (reason: string) => `スレ主が折りたたみました：${reason}`
