import { useEffect, useState } from 'react'

/**
 * Seconds left of a delay that the server asked for; 0 when there is none. Computed from the clock,
 * so that a suspended tab does not extend it.
 */
export function useCountdown(): { left: number; start: (seconds: number) => void } {
  const [until, setUntil] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (until === 0) return
    const tick = () => {
      const seconds = Math.max(0, Math.ceil((until - Date.now()) / 1_000))
      setLeft(seconds)
      if (seconds === 0) setUntil(0)
    }
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [until])
  return { left, start: (seconds) => setUntil(Date.now() + seconds * 1_000) }
}
