import { MODERATION_NOTE } from '@shinobi/contract/limits'
import { RULE_KEYS, RULES, type RuleKey } from '@shinobi/contract/rules'
import { countGraphemes } from '@shinobi/contract/text'
import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, TextInput } from '../../ui/field.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { ActionForm } from './action-form.tsx'
import styles from './remove-dialog.module.css'

const RULE_OPTIONS = RULE_KEYS.map((value) => ({ value, label: RULES[value] }))

interface RemoveDialogProps {
  open: boolean
  title: string
  /** What is asked before something is deleted. */
  question: string
  /** What would go. */
  subject: ReactNode
  onClose: () => void
  onRemove: (rule: RuleKey, reason: string) => Promise<unknown>
}

/** Asks before something is removed, and by which rule: visitors see that, colleagues the remark as well. */
export function RemoveDialog({ open, title, onClose, ...rest }: RemoveDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <RemoveForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function RemoveForm({ question, subject, onClose, onRemove }: Omit<RemoveDialogProps, 'open' | 'title'>) {
  const [rule, setRule] = useState<RuleKey>('improper')
  const [reason, setReason] = useState('')
  const length = countGraphemes(reason)
  return (
    <ActionForm
      label="削除する"
      variant="danger"
      disabled={length > MODERATION_NOTE.max}
      onCancel={onClose}
      onSubmit={() => onRemove(rule, reason)}
    >
      <p>{question}</p>
      <blockquote className={styles['subject']}>{subject}</blockquote>
      <SelectField
        label="根拠となる規約"
        hint="公開の記録に載ります。"
        options={RULE_OPTIONS}
        value={rule}
        onChange={setRule}
      />
      <Field label="メモ（任意）" hint="運営だけが読みます。" counter={{ length, max: MODERATION_NOTE.max }}>
        {(field) => <TextInput {...field} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />}
      </Field>
    </ActionForm>
  )
}
