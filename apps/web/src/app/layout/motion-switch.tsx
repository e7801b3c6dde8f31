import { useSyncExternalStore } from 'react'
import { isMotionOff, onMotionChange, setMotionOff } from '../../ui/motion.ts'
import { Switch } from '../../ui/switch.tsx'

/** 演出を止める: stops all decorative motion, and stores the choice in this browser. */
export function MotionSwitch() {
  const off = useSyncExternalStore(onMotionChange, isMotionOff, () => false)

  return (
    <Switch checked={off} onChange={setMotionOff}>
      演出を止める
    </Switch>
  )
}
