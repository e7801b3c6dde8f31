import { useEffect, useSyncExternalStore } from 'react'
import { applyStoredMotion, isMotionOff, onMotionChange, setMotionOff } from '../../ui/motion.ts'
import { Switch } from '../../ui/switch.tsx'

/** 演出を止める: stills everything decorative, and remembers it in this browser. */
export function MotionSwitch() {
  const off = useSyncExternalStore(onMotionChange, isMotionOff, () => false)

  // In case the entry did not do it before hydration.
  useEffect(() => {
    applyStoredMotion()
    if (isMotionOff()) setMotionOff(true)
  }, [])

  return (
    <Switch checked={off} onChange={setMotionOff}>
      演出を止める
    </Switch>
  )
}
