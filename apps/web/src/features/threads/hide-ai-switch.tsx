import { useSyncExternalStore } from 'react'
import { Switch } from '../../ui/switch.tsx'
import { isAiHidden, onAiHidden, setAiHidden } from './hidden-ai.ts'
import styles from './hide-ai-switch.module.css'

/**
 * AI要約を隠す. `wanted`: the list has such threads. Without them the switch is shown only while it
 * is on, so that it can be turned off.
 */
export function HideAiSwitch({ wanted }: { wanted: boolean }) {
  const hidden = useSyncExternalStore(onAiHidden, isAiHidden, () => false)
  return (
    <div className={styles['frame']}>
      <p className={styles['place']} data-wanted={wanted || undefined}>
        <Switch checked={hidden} onChange={setAiHidden} className={styles['switch']}>
          AI要約を隠す
        </Switch>
      </p>
    </div>
  )
}
