import { Dialog } from '../../ui/dialog.tsx'
import { findEmailProblem } from './account-rules.ts'
import { changeEmail } from './api.ts'
import { ConfirmedForm } from './confirmed-form.tsx'
import { EmailField } from './fields.tsx'

interface EmailDialogProps {
  open: boolean
  /** The user name. */
  name: string
  hasPassword: boolean
  onClose: () => void
  onDone: (message: string) => void
}

/** Replaces a mail address that is not confirmed. */
export function EmailDialog({ open, name, hasPassword, onClose, onDone }: EmailDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title="メールアドレスの変更">
      <ConfirmedForm
        name={name}
        hasPassword={hasPassword}
        label="変更する"
        fields={['email']}
        findProblem={({ email }) => {
          const message = findEmailProblem(email)
          return message === null ? null : { field: 'email', message }
        }}
        refusals={{ bad_email: 'email' }}
        send={async (currentPassword, { email }) => onDone((await changeEmail(currentPassword, email)).message)}
      >
        {(about) => <EmailField label="新しいメールアドレス" describedBy={about('email')} />}
      </ConfirmedForm>
    </Dialog>
  )
}
