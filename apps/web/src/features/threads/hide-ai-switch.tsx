import { useSyncExternalStore } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { isAiHidden, onAiHidden, setAiHidden } from './hidden-ai.ts'
import styles from './hide-ai-switch.module.css'

/** AI要約を隠す. `wanted`: the list has such threads; without them the switch is there only while it is on, so that it can be found again. */
export function HideAiSwitch({ wanted }: { wanted: boolean }) {
  const hidden = useSyncExternalStore(onAiHidden, isAiHidden, () => false)
  return (
    <p className={styles['place']} data-wanted={wanted || undefined}>
      <Switch checked={hidden} onChange={setAiHidden} className={styles['switch']}>
        AI要約を隠す
      </Switch>
    </p>
  )
}
