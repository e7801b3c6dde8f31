/** Messages about categories, threads and their lists. */
import * as limits from '../limits.ts'

// Categories
export const category_failed = 'カテゴリを読み込めませんでした。もう一度お試しください。'
export const categories_failed = 'カテゴリを読み込めませんでした。もう一度お試しください。'
export const category_not_found = 'そのカテゴリは見つかりませんでした。'
export const category_required = 'カテゴリを選んでください。'
export const category_name_required = 'カテゴリの名前を入力してください。'
export const category_name_too_long = `カテゴリの名前は${limits.CATEGORY_NAME.max}文字以内で入力してください。`
export const category_description_too_long = `カテゴリの説明は${limits.CATEGORY_DESCRIPTION.max}文字以内で入力してください。`
export const category_name_taken = 'その名前のカテゴリはすでにあります。'
/** @param unlisted those of them that no list shows: removed ones, and texts that wait */
export const category_has_threads = (count: number, unlisted: number) =>
  `このカテゴリには${count}件のスレッド${unlisted === 0 ? '' : `と書き込み（削除済みと確認待ちの${unlisted}件を含む）`}があります。移動先を選んでください。`

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
export const search_only_excludes = '除く言葉だけでは探せません。探す言葉も入れてください。'
export const search_too_many_words = `言葉は${limits.SEARCH_TERMS_MAX}つまでです。減らしてお探しください。`
export const search_too_long = `検索キーワードは${limits.SEARCH.max}文字以内で入力してください。`
