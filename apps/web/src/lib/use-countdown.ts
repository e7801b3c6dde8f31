import { useEffect, useState } from 'react'
import { startStopwatch } from './stopwatch.ts'

/** Seconds left of a delay that the server asked for; 0 when there is none. */
export function useCountdown(): { left: number; start: (seconds: number) => void } {
  const [delay, setDelay] = useState<{ readonly ms: number; readonly elapsed: () => number } | null>(null)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (delay === null) return
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((delay.ms - delay.elapsed()) / 1_000))
      setLeft(seconds)
      if (seconds === 0) setDelay(null)
    }
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [delay])
  return { left, start: (seconds) => setDelay({ ms: seconds * 1_000, elapsed: startStopwatch() }) }
}
