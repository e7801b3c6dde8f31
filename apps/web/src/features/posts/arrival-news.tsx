import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { VisuallyHidden } from '../../ui/visually-hidden.tsx'

/** Announcements are throttled: a busy thread is summed up rather than read out post by post. */
const EVERY_MS = 4_000

/**
 * For screen readers: how many posts arrived in view, or how many are out of view, as on the pill.
 */
export function ArrivalNews({ newest, unseen }: { newest: number; unseen: number }) {
  const [news, setNews] = useState('')
  const told = useRef(newest)
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const tell = useEffectEvent(() => {
    const count = newest - told.current
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
  useEffect(() => () => clearTimeout(timer.current), [])

  return (
    <VisuallyHidden>
      <span aria-live="polite">{news}</span>
    </VisuallyHidden>
  )
}
