import type { ThreadPin } from '@shinobi/contract/threads'

export type Pin = ThreadPin | 'none'

interface PinOption {
  readonly value: Pin
  readonly label: string
}

const PINS: readonly PinOption[] = [
  { value: 'none', label: '固定しない' },
  { value: 'category', label: 'カテゴリの一番上に固定' },
  { value: 'board', label: 'すべての一覧の一番上に固定' },
]

/**
 * Where a user may pin a thread. A user who may not pin to all lists may not unpin a thread from
 * there either: then there are no options.
 */
export function pinsFor(pinned: ThreadPin | null, mayPinToBoard: boolean): readonly PinOption[] {
  if (mayPinToBoard) return PINS
  return pinned === 'board' ? [] : PINS.filter(({ value }) => value !== 'board')
}
