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
 * Where a thread may be pinned. Only who runs the whole board pins to all lists, or takes a thread from there: to others the pin of such
 * a thread is no choice.
 */
export function pinsFor(pinned: ThreadPin | null, runsWhole: boolean): readonly PinOption[] {
  if (runsWhole) return PINS
  return pinned === 'board' ? [] : PINS.filter(({ value }) => value !== 'board')
}
