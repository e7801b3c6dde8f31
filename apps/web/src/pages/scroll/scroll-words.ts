/** The sentences about a level. */
import { LEVEL_MAX } from '@shinobi/contract/limits'
import type { Scroll, ScrollOpening } from '@shinobi/contract/scroll'

export const OPENINGS: Readonly<Record<ScrollOpening, string>> = {
  links: '書き込みのURLがリンクになります。',
  images: '画像を確認待ちにするカテゴリでも、画像をすぐに公開できます。',
  threads: '続けてスレッドを立てるときの待ち時間がなくなります。',
  owner: '自分の立てたスレッドで、スレ主の操作（追記、折りたたみなど）が使えます。',
  raid: '結界のあいだも、自動の確認や確認待ちなしで書き込めます。',
  copies: 'ほかの人の書き込みと似た長い文章も、すぐに公開できます。',
  cooldown: '書き込みと書き込みのあいだの待ち時間が半分になります。',
  words: '確認の要る言葉を含む書き込みも、すぐに公開できます。',
}

/** What today adds. */
export function sayToday({ today, level, days, removals }: Scroll): string {
  if (today === 'removed') return '今日は、書き込みが運営に削除されたため数えません。明日からまた数えます。'
  if (today === 'none') {
    return level === LEVEL_MAX
      ? '最高のレベルです。'
      : '今日はまだ数えていません。何か書き込むと、日本時間の0時に今日の分が加わります。'
  }
  if (removals > days) return '今日の書き込みは日本時間の0時に、削除された分の埋め合わせになります。'
  if (level === LEVEL_MAX) return '今日の書き込みは数えました。最高のレベルなので、これ以上は上がりません。'
  return `今日の書き込みは数えました。日本時間の0時に、レベルが${level + 1}になります。`
}

/** What the next seal opens, and the days that it takes. Null when all are open. */
export function sayNext(scroll: Scroll): { level: number; whats: ScrollOpening[]; need: string } | null {
  const next = scroll.opens.find(({ isOpen }) => !isOpen)
  if (next === undefined) return null
  const whats = scroll.opens.filter(({ level }) => level === next.level).map(({ what }) => what)
  const days = next.level - (scroll.days - scroll.removals)
  const need = scroll.today === 'written' ? `今日を含めて、書き込む日があと${days}日` : `書き込む日があと${days}日`
  return { level: next.level, whats, need: `${need}必要です。` }
}
