import { MODERATION_NOTE } from '@shinobi/contract/staff-limits'
import { RULE_KEYS, RULES, type RuleKey } from '@shinobi/contract/rules'
import { countGraphemes } from '@shinobi/contract/text'
import { LineField } from '../../ui/line-field.tsx'
import { SelectField } from '../../ui/select-field.tsx'

const RULE_OPTIONS = RULE_KEYS.map((value) => ({ value, label: RULES[value] }))

interface RuleFieldProps {
  /** What readers see of the removal. */
  hint: string
  value: RuleKey
  onChange: (rule: RuleKey) => void
}

/** The rule by which something is removed. */
export const RuleField = (props: RuleFieldProps) => (
  <SelectField label="根拠となる規約" options={RULE_OPTIONS} {...props} />
)

export const noteLength = (note: string): number => countGraphemes(note.trim())

/** A note for other moderators. */
export const NoteField = (props: { value: string; onChange: (note: string) => void; error?: string | null }) => (
  <LineField
    label="メモ（任意）"
    hint="運営だけが読みます。"
    counter={{ length: noteLength(props.value), max: MODERATION_NOTE.max }}
    {...props}
  />
)
