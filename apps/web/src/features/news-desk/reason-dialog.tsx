import { cleanLine } from '@shinobi/contract/text'
import { useState, type ReactNode } from 'react'
import { ActionForm } from '../admin/action-form.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { CheckField } from './check-field.tsx'
import { FormFields } from '../../ui/form-fields.tsx'
import { findReasonProblem, ReasonField } from './reason-field.tsx'

interface ReasonDialogProps {
  open: boolean
  title: string
  /** Label of the confirming button. */
  label: string
  onClose: () => void
  /** `withdraw`: also withdraws the threads; false where the dialog does not ask. */
  onConfirm: (reason: string, withdraw: boolean) => Promise<unknown>
  /** Adds the choice to withdraw the threads, with this explanation. */
  withdrawHint?: string
  /** The question, and its subject. */
  children: ReactNode
}

/**
 * Asks for confirmation and a reason before something is stopped or withdrawn; the log stores the
 * reason.
 */
export function ReasonDialog({ open, title, onClose, ...rest }: ReasonDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={title}>
      <ReasonForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

function ReasonForm({ label, onClose, onConfirm, withdrawHint, children }: Omit<ReasonDialogProps, 'open' | 'title'>) {
  const [reason, setReason] = useState('')
  const [withdraw, setWithdraw] = useState(false)
  const [tries, setTries] = useState(0)
  const problem = findReasonProblem(reason)
  return (
    <ActionForm
      label={label}
      variant="danger"
      onCancel={onClose}
      onSubmit={async () => {
        setTries((before) => before + 1)
        if (problem === null) await onConfirm(cleanLine(reason), withdraw)
      }}
    >
      <FormFields tries={tries}>
        {children}
        <ReasonField
          label="理由"
          hint={
            withdrawHint === undefined || withdraw
              ? '操作の記録に残り、取り下げたスレッドのアドレスで誰でも読めます。'
              : '操作の記録に残ります。'
          }
          value={reason}
          error={tries > 0 ? problem : null}
          onChange={setReason}
        />
        {withdrawHint !== undefined && (
          <CheckField
            label="立てたスレッドも取り下げる"
            hint={withdrawHint}
            checked={withdraw}
            onChange={setWithdraw}
          />
        )}
      </FormFields>
    </ActionForm>
  )
}
