import { messages } from '@shinobi/contract/messages'
import type { Profile, User } from '@shinobi/contract/accounts'
import { useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { leaveSession } from './session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TrashIcon } from '../../ui/icons.tsx'
import { AccountForm } from './account-form.tsx'
import { deleteAccount } from './api.ts'
import { focusField, NameField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { ProfileSection } from './profile-section.tsx'
import { useRequest } from '../../lib/use-request.ts'

interface DeleteAccountProps {
  user: User
  hasPassword: Profile['hasPassword']
}

export function DeleteAccount({ user, hasPassword }: DeleteAccountProps) {
  const [open, setOpen] = useState(false)
  return (
    <ProfileSection id="deletion" title="アカウントの削除">
      <p className={styles['note']}>
        名前、メールアドレス、画像、パスワードを消します。書き込みは、名前を外して残ります。
      </p>
      <div>
        <Button variant="danger" size="sm" icon={<TrashIcon size={16} />} onClick={() => setOpen(true)}>
          アカウントを削除する
        </Button>
      </div>
      <Dialog open={open} onClose={() => setOpen(false)} title="アカウントを削除する">
        <DeleteForm user={user} hasPassword={hasPassword} />
      </Dialog>
    </ProfileSection>
  )
}

type DeleteField = 'name' | 'currentPassword'

function DeleteForm({ user, hasPassword }: DeleteAccountProps) {
  const request = useRequest()
  const { busy, complain, send } = request
  const [wrong, setWrong] = useState<DeleteField | null>(null)

  const submit = async (form: HTMLFormElement) => {
    const { name, currentPassword } = readForm(form, 'name', 'currentPassword')
    let field: DeleteField | null = null
    if (name.trim() === '') {
      field = 'name'
      complain(messages.account_delete_unconfirmed)
    } else if (hasPassword && currentPassword === '') {
      field = 'currentPassword'
      complain(messages.register_required_fields)
    } else {
      await send(
        async () => {
          await deleteAccount(name, hasPassword ? currentPassword : undefined)
          leaveSession('アカウントを削除しました。')
        },
        (error) => {
          if (!(error instanceof ApiError)) return messages.unexpected
          if (error.code === 'bad_password') field = 'currentPassword'
          if (error.code === 'bad_username') field = 'name'
          return error.message
        },
      )
    }
    setWrong(field)
    if (field !== null) focusField(form, field)
  }

  return (
    <AccountForm
      request={request}
      onSubmit={submit}
      wrong={wrong}
      label={busy ? '削除しています…' : '削除する'}
      variant="danger"
    >
      {(about) => (
        <>
          <ul className={styles['facts']}>
            <li>会員名、メールアドレス、画像、パスワードは消え、元に戻せません。</li>
            <li>スレッドと書き込みは残り、名前は「名無し」に変わります。</li>
            <li>すべての端末からログアウトします。</li>
          </ul>
          <NameField
            name="name"
            label="確認のため、会員名を入力"
            hint={`「${user.name}」と入力してください。`}
            describedBy={about('name')}
          />
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
