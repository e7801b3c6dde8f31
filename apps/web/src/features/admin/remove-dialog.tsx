import { MODERATION_NOTE } from '@shinobi/contract/staff-limits'
import type { RuleKey } from '@shinobi/contract/rules'
import { useState, type ReactNode } from 'react'
import { Dialog } from '../../ui/dialog.tsx'
import { NoteField, noteLength, RuleField } from '../moderation/rule-fields.tsx'
import { ActionForm } from './action-form.tsx'
import styles from './remove-dialog.module.css'

interface RemoveDialogProps {
  open: boolean
  title: string
  /** The question before a deletion. */
  question: string
  /** What would be deleted. */
  subject: ReactNode
  onClose: () => void
  onRemove: (rule: RuleKey, reason: string) => Promise<unknown>
}

/**
 * Asks for confirmation of a removal and for the rule: visitors see the rule, moderators the note
 * as well.
 */
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
  return (
    <ActionForm
      label="削除する"
      variant="danger"
      disabled={noteLength(reason) > MODERATION_NOTE.max}
      onCancel={onClose}
      onSubmit={() => onRemove(rule, reason)}
    >
      <p>{question}</p>
      <blockquote className={styles['subject']}>{subject}</blockquote>
      <RuleField hint="公開の記録に載ります。" value={rule} onChange={setRule} />
      <NoteField value={reason} onChange={setReason} />
    </ActionForm>
  )
}
