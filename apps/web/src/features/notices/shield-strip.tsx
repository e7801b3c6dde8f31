import { SHIELD_NOTICES, SHIELD_STEPS } from '@shinobi/contract/rules'
import { Seal } from '../../ui/seal.tsx'
import styles from './shield-strip.module.css'

/** What the step of raid mode means for those who write; reading stays as it is, and it says so. */
export function ShieldStrip({ step }: { step: number }) {
  const name = SHIELD_STEPS[step]
  if (name === undefined || SHIELD_NOTICES[name] === '') return null
  return (
    <aside className={styles['shield']} aria-label="結界">
      <div className={`container ${styles['inner']}`}>
        <Seal tone="teal">結界</Seal>
        <p className={styles['words']}>{SHIELD_NOTICES[name]}読むことはいつもどおりできます。</p>
      </div>
    </aside>
  )
}
