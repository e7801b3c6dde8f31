import { findComplaint, reasonWords } from '@shinobi/contract/complaints'
import { MODERATION_REASON } from '@shinobi/contract/limits'
import { cleanLine, countGraphemes } from '@shinobi/contract/text'
import { useImeSafeEnter } from '../../../lib/use-ime-safe-enter.ts'
import { Field, TextInput } from '../../../ui/field.tsx'

/** As the server's schema judges a reason. */
export const findReasonProblem = (reason: string): string | null =>
  findComplaint(cleanLine(reason), MODERATION_REASON, 'line', reasonWords)

interface ReasonFieldProps {
  label: string
  hint: string
  value: string
  error: string | null
  onChange: (value: string) => void
}

/** Why something is done: one line, asked for. */
export function ReasonField({ label, hint, value, error, onChange }: ReasonFieldProps) {
  const enter = useImeSafeEnter({})
  return (
    <Field
      label={label}
      hint={hint}
      required
      error={error}
      counter={{ length: countGraphemes(cleanLine(value)), max: MODERATION_REASON.max }}
    >
      {(field) => (
        <TextInput
          {...field}
          {...enter}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
