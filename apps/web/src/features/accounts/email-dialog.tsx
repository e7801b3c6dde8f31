import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { useRequest } from '../../lib/use-request.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AccountForm } from './account-form.tsx'
import { findEmailProblem } from './account-rules.ts'
import { changeEmail } from './api.ts'
import { EmailField, focusField, PasswordField, readForm } from './fields.tsx'

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
      <EmailForm name={name} hasPassword={hasPassword} onDone={onDone} />
    </Dialog>
  )
}

type EmailFieldName = 'email' | 'currentPassword'

function EmailForm({ name, hasPassword, onDone }: Omit<EmailDialogProps, 'open' | 'onClose'>) {
  const request = useRequest()
  const [wrong, setWrong] = useState<EmailFieldName | null>(null)

  const submit = async (form: HTMLFormElement) => {
    const { email, currentPassword } = readForm(form, 'email', 'currentPassword')
    const problem = findEmailProblem(email)
    let field: EmailFieldName | null = null
    if (problem !== null) {
      field = 'email'
      request.complain(problem)
    } else if (hasPassword && currentPassword === '') {
      field = 'currentPassword'
      request.complain(messages.register_required_fields)
    } else {
      await request.send(
        async () => onDone((await changeEmail(hasPassword ? currentPassword : undefined, email)).message),
        (error) => {
          if (!(error instanceof ApiError)) return messages.unexpected
          if (error.code === 'bad_password') field = 'currentPassword'
          if (error.code === 'bad_email') field = 'email'
          return error.message
        },
      )
    }
    setWrong(field)
    if (field !== null) focusField(form, field)
  }

  return (
    <AccountForm request={request} onSubmit={submit} wrong={wrong} label="変更する">
      {(about) => (
        <>
          <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
          <EmailField label="新しいメールアドレス" describedBy={about('email')} />
          {hasPassword && (
            <PasswordField
              kind="current"
              label="現在のパスワード"
              name="currentPassword"
              describedBy={about('currentPassword')}
            />
          )}
        </>
      )}
    </AccountForm>
  )
}
