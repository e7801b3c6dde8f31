import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AccountForm } from './account-form.tsx'
import { findPasswordProblem } from './account-rules.ts'
import { changePassword } from './api.ts'
import { focusField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { useRequest } from '../../lib/use-request.ts'

interface PasswordDialogProps {
  open: boolean
  /** The user name. */
  name: string
  hasPassword: boolean
  onClose: () => void
  onDone: (message: string) => void
}

export function PasswordDialog({ open, name, hasPassword, onClose, onDone }: PasswordDialogProps) {
  return (
    <Dialog open={open} onClose={onClose} title={hasPassword ? 'パスワード変更' : 'パスワード設定'}>
      <PasswordForm name={name} hasPassword={hasPassword} onDone={onDone} />
    </Dialog>
  )
}

type PasswordFieldName = 'currentPassword' | 'password'

function PasswordForm({ name, hasPassword, onDone }: Omit<PasswordDialogProps, 'open' | 'onClose'>) {
  const request = useRequest()
  const { complain, send } = request
  const [wrong, setWrong] = useState<PasswordFieldName | null>(null)

  const submit = async (form: HTMLFormElement) => {
    const { currentPassword, password } = readForm(form, 'currentPassword', 'password')
    const found = findProblem(hasPassword ? currentPassword : null, password)
    let field = found?.field ?? null
    if (found === null) {
      await send(
        async () => onDone((await changePassword(hasPassword ? currentPassword : undefined, password)).message),
        (error) => {
          if (!(error instanceof ApiError)) return messages.unexpected
          if (error.code === 'bad_password')
            field = error.message === messages.password_wrong ? 'currentPassword' : 'password'
          return error.message
        },
      )
    } else complain(found.message)
    setWrong(field)
    if (field !== null) focusField(form, field)
  }

  return (
    <AccountForm request={request} onSubmit={submit} wrong={wrong} label={hasPassword ? '変更する' : '設定する'}>
      {(about) => (
        <>
          {/* For password managers: the account to which this password belongs. */}
          <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
          {hasPassword && (
            <PasswordField
              kind="current"
              label="現在のパスワード"
              name="currentPassword"
              describedBy={about('currentPassword')}
            />
          )}
          <PasswordField kind="new" label="新しいパスワード" describedBy={about('password')} />
          <p className={styles['note']}>設定すると、ほかの端末からはログアウトします。</p>
        </>
      )}
    </AccountForm>
  )
}

function findProblem(current: string | null, password: string): { field: PasswordFieldName; message: string } | null {
  if (current === '') return { field: 'currentPassword', message: messages.register_required_fields }
  const message = findPasswordProblem(password)
  return message === null ? null : { field: 'password', message }
}
