import { KeyHelp, type KeyEntry } from '../../ui/key-help.tsx'
import type { ApartProps } from './show-apart.tsx'

export { showApart } from './show-apart.tsx'

const KEYS: readonly KeyEntry[] = [
  ['j', '次の書き込み・次のスレッドへ'],
  ['k', '前の書き込み・前のスレッドへ'],
  ['Enter', 'そのスレッドを開く'],
  ['n', '新着・未読へ'],
  ['r', 'その書き込みに返信'],
  ['g', '番号を指定して移動'],
  ['/', '検索'],
  ['?', 'キーの一覧'],
]

/** Only where the page has such a control. */
const isOffered = ([key]: KeyEntry) => key !== 'g' || document.querySelector('[data-key="g"]') !== null

/** ?: the keys for reading. */
export function KeyList({ open, onClose }: ApartProps) {
  return (
    <KeyHelp open={open} onClose={onClose} keys={KEYS.filter(isOffered)}>
      「表示」の「1文字のキーで操作する」で止められます。
    </KeyHelp>
  )
}
