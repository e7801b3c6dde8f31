import { categoryLabel } from '@shinobi/contract/category-labels'
import { SHIELD_EFFECTS, SHIELD_STEPS } from '@shinobi/contract/rules'
import type { Shield } from '@shinobi/contract/shields'
import { useState } from 'react'
import { ActionForm } from '../../../features/admin/action-form.tsx'
import { setShield } from '../../../features/admin/api.ts'
import { OneOf } from '../../../ui/choices.tsx'
import { useLast } from '../../../features/admin/use-last.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { STEP_NAMES } from '../../../features/shields/step-names.ts'

interface ShieldDialogProps {
  /** The shield to change; null closes the dialog. */
  shield: Shield | null
  onClose: () => void
  onChanged: (text: string) => void
}

export function ShieldDialog({ shield, onClose, onChanged }: ShieldDialogProps) {
  const last = useLast(shield)
  return (
    <Dialog
      open={shield !== null}
      onClose={onClose}
      title={last === null ? '結界' : `${categoryLabel(last.category)}の結界`}
    >
      {last && <ShieldForm shield={last} onClose={onClose} onChanged={onChanged} />}
    </Dialog>
  )
}

const AUTOMATIC = 'auto'
const OPTIONS = [
  { value: AUTOMATIC, label: '自動', hint: '書き込みの勢いに応じて、板が上げ下げします。' },
  ...SHIELD_STEPS.map((step, index) => ({
    value: String(index),
    label: STEP_NAMES[index],
    hint: SHIELD_EFFECTS[step],
  })),
]
/** In minutes. */
const SPANS = [
  { value: 30, label: '30分' },
  { value: 60, label: '1時間' },
  { value: 180, label: '3時間' },
  { value: 1_440, label: '24時間' },
  { value: 0, label: '次に変えるまで' },
]

function ShieldForm({ shield, onClose, onChanged }: ShieldDialogProps & { shield: Shield }) {
  const [choice, setChoice] = useState(shield.manual ? String(shield.step) : AUTOMATIC)
  const [minutes, setMinutes] = useState(60)
  const automatic = choice === AUTOMATIC
  const submit = async () => {
    await setShield(shield.categoryId, automatic ? null : Number(choice), automatic || minutes === 0 ? null : minutes)
    const label = automatic ? '自動' : STEP_NAMES[Number(choice)]
    onChanged(`${categoryLabel(shield.category)}の結界を「${label}」にしました。`)
  }
  return (
    <ActionForm label="変える" onCancel={onClose} onSubmit={submit}>
      <OneOf legend="段階" name="step" options={OPTIONS} value={choice} onChange={setChoice} />
      {!automatic && (
        <SelectField
          label="期間"
          hint="期間が過ぎると自動に戻ります。"
          options={SPANS}
          value={minutes}
          onChange={setMinutes}
        />
      )}
    </ActionForm>
  )
}
