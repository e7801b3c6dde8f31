import { findComplaint, reasonWords } from '@shinobi/contract/complaints'
import { MODERATION_REASON } from '@shinobi/contract/staff-limits'
import { cleanLine, countGraphemes } from '@shinobi/contract/text'
import type { ComponentProps } from 'react'
import { LineField } from '../../ui/line-field.tsx'

/** Validates a reason by the rules of the server's schema. */
export const findReasonProblem = (reason: string): string | null =>
  findComplaint(cleanLine(reason), MODERATION_REASON, 'line', reasonWords)

type ReasonFieldProps = Pick<ComponentProps<typeof LineField>, 'label' | 'hint' | 'value' | 'error' | 'onChange'>

/** The reason for an action: one line, required. */
export const ReasonField = (props: ReasonFieldProps) => (
  <LineField
    {...props}
    required
    counter={{ length: countGraphemes(cleanLine(props.value)), max: MODERATION_REASON.max }}
  />
)
