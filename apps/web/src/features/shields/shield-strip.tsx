import { SHIELD_NOTICES, SHIELD_STEPS } from '@shinobi/contract/rules'
import { Seal } from '../../ui/seal.tsx'
import { Strip } from '../../ui/strip.tsx'

/** What the step of raid mode means for writers; it also says that reading is not restricted. */
export function ShieldStrip({ step }: { step: number }) {
  const name = SHIELD_STEPS[step]
  if (name === undefined || SHIELD_NOTICES[name] === '') return null
  return (
    <Strip label="結界" tone="rope" lead={<Seal tone="teal">結界</Seal>}>
      <p>{SHIELD_NOTICES[name]}読むことはいつもどおりできます。</p>
    </Strip>
  )
}
