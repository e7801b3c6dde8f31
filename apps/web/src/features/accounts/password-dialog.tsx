import { Dialog } from '../../ui/dialog.tsx'
import { findPasswordProblem } from './account-rules.ts'
import { changePassword } from './api.ts'
import { ConfirmedForm } from './confirmed-form.tsx'
import { PasswordField } from './fields.tsx'
import styles from './forms.module.css'

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
    <Dialog open={open} onClose={onClose} title={hasPassword ? 'パスワードの変更' : 'パスワードの設定'}>
      <ConfirmedForm
        name={name}
        hasPassword={hasPassword}
        label={hasPassword ? '変更する' : '設定する'}
        fields={['password']}
        findProblem={({ password }) => {
          const message = findPasswordProblem(password)
          return message === null ? null : { field: 'password', message }
        }}
        refusals={{ bad_password: 'password' }}
        send={async (currentPassword, { password }) =>
          onDone((await changePassword(currentPassword, password)).message)
        }
      >
        {(about) => (
          <>
            <PasswordField kind="new" label="新しいパスワード" describedBy={about('password')} />
            <p className={styles['note']}>設定すると、ほかの端末からはログアウトします。</p>
          </>
        )}
      </ConfirmedForm>
    </Dialog>
  )
}
