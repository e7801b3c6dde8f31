import { useSyncExternalStore } from 'react'
import { isMotionOff, onMotionChange } from './motion.ts'

const QUERY = '(prefers-reduced-motion: reduce)'

/** Whether to keep still, for event handlers; on the client only. */
export const motionIsReduced = (): boolean => isMotionOff() || window.matchMedia(QUERY).matches

function subscribe(listener: () => void): () => void {
  const media = window.matchMedia(QUERY)
  media.addEventListener('change', listener)
  const off = onMotionChange(listener)
  return () => {
    media.removeEventListener('change', listener)
    off()
  }
}

/** Whether to keep still; false while rendering on the server, right after hydration true if so. */
export const useReducedMotion = (): boolean => useSyncExternalStore(subscribe, motionIsReduced, () => false)
