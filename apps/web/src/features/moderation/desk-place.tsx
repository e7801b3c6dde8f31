import { IconButton } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import styles from './desk.module.css'

interface DeskPlaceProps {
  /** Position of the current item in the queue, from 0. */
  at: number
  count: number
  /** The noun for an item in the labels of the buttons. */
  noun: string
  onStep: (by: 1 | -1) => void
}

/** 3 / 20, with buttons for the previous and the next item. */
export function DeskPlace({ at, count, noun, onStep }: DeskPlaceProps) {
  return (
    <>
      <IconButton label={`前の${noun}`} disabled={at <= 0} onClick={() => onStep(-1)}>
        <ChevronIcon direction="left" />
      </IconButton>
      <span className={styles['place']}>
        {at + 1} / {count}
      </span>
      <IconButton label={`次の${noun}`} disabled={at + 1 >= count} onClick={() => onStep(1)}>
        <ChevronIcon direction="right" />
      </IconButton>
    </>
  )
}
