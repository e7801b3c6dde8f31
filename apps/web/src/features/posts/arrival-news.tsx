import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/** Announcements are throttled: a busy thread is summed up rather than read out post by post. */
const EVERY_MS = 4_000

interface ArrivalNewsProps {
  newest: number
  unseen: number
  /** The numbers of the posts that this browser wrote. */
  own: ReadonlySet<number>
}

/**
 * For screen readers: how many posts of others arrived in view, or how many are out of view, as on
 * the pill.
 */
export function ArrivalNews({ newest, unseen, own }: ArrivalNewsProps) {
  const [news, setNews] = useState('')
  const told = useRef(newest)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const tell = useEffectEvent(() => {
    let count = 0
    for (let number = told.current + 1; number <= newest; number += 1) if (!own.has(number)) count += 1
    told.current = newest
    if (unseen > 0) setNews(`新着${unseen}件`)
    else if (count > 0) setNews(`新しい書き込みが${count}件届きました（${newest}まで）`)
  })

  useEffect(() => {
    if (newest <= told.current || timer.current !== undefined) return
    timer.current = setTimeout(() => {
      timer.current = undefined
      tell()
    }, EVERY_MS)
  }, [newest])
  useEffect(() => {
    // The same words about others are news again.
    if (unseen === 0) setNews('')
  }, [unseen])
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <VisuallyHidden>
      <span aria-live="polite">{news}</span>
    </VisuallyHidden>
  )
}
