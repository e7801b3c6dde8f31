import { findComplaint, reasonWords } from '@shinobi/contract/complaints'
import { MODERATION_REASON } from '@shinobi/contract/staff-limits'
import { cleanLine, countGraphemes } from '@shinobi/contract/text'
import { LineField } from '../../ui/line-field.tsx'

/** Validates a reason by the rules of the server's schema. */
export const findReasonProblem = (reason: string): string | null =>
  findComplaint(cleanLine(reason), MODERATION_REASON, 'line', reasonWords)

interface ReasonFieldProps {
  label: string
  hint: string
  value: string
  error: string | null
  onChange: (value: string) => void
}

/** The reason for an action: one line, required. */
export function ReasonField({ label, hint, value, error, onChange }: ReasonFieldProps) {
  return (
    <LineField
      label={label}
      hint={hint}
      required
      error={error}
      counter={{ length: countGraphemes(cleanLine(value)), max: MODERATION_REASON.max }}
      value={value}
      onChange={onChange}
    />
  )
}
