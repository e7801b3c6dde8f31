import type { PosterIds } from '@shinobi/contract/categories'

/** For the form of a category and the log. */
export const POSTER_ID_LABELS: Readonly<Record<PosterIds, string>> = {
  off: '出さない',
  thread: 'スレッドと日ごと',
  day: 'カテゴリと日ごと',
}
