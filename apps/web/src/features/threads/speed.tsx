import { inFigures } from '@shinobi/contract/in-figures'
import { speedOf } from '@shinobi/contract/speed'
import { useNow } from '../../lib/clock.tsx'
import styles from './speed.module.css'

/** Length of the bar, of six steps: each is three times as fast, the last from 243 posts a day. */
const stepsOf = (speed: number): number => (speed < 1 ? 0 : Math.min(6, 1 + Math.floor(Math.log(speed) / Math.log(3))))

/** 勢い of a thread: its posts a day as a figure, and as a bar to compare threads at a glance. */
export function Speed({ of }: { of: { readonly postCount: number; readonly createdAt: string } }) {
  const speed = Math.round(speedOf(of, useNow()))
  return (
    <span className={styles['speed']} data-steps={stepsOf(speed)} title="勢い（1日あたりの書き込み）">
      <span className="visually-hidden">勢い </span>
      {inFigures(speed)}
    </span>
  )
}
