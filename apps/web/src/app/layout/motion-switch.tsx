import { useEffect, useSyncExternalStore } from 'react'
import { applyStoredMotion, isMotionOff, onMotionChange, setMotionOff } from '../../ui/motion.ts'
import styles from './motion-switch.module.css'

/** 演出を止める: stills everything decorative, and remembers it in this browser. */
export function MotionSwitch() {
  const off = useSyncExternalStore(onMotionChange, isMotionOff, () => false)

  // In case the entry did not do it before hydration.
  useEffect(() => {
    applyStoredMotion()
    if (isMotionOff()) setMotionOff(true)
  }, [])

  return (
    <button
      type="button"
      role="switch"
      aria-checked={off}
      className={styles['switch']}
      onClick={() => setMotionOff(!off)}
    >
      <span className={styles['track']} aria-hidden="true" />
      演出を止める
    </button>
  )
}
