import { messages } from '@shinobi/contract/messages'
import type { Profile, User } from '@shinobi/contract/accounts'
import { useState } from 'react'
import { leaveSession } from './session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TrashIcon } from '../../ui/icons.tsx'
import { deleteAccount } from './api.ts'
import { ConfirmedForm } from './confirmed-form.tsx'
import { NameField } from './fields.tsx'
import styles from './forms.module.css'
import { ProfileSection } from './profile-section.tsx'

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
        <ConfirmedForm
          name={user.name}
          hasPassword={hasPassword}
          label="削除する"
          variant="danger"
          intro={
            <ul className={styles['facts']}>
              <li>会員名、メールアドレス、画像、パスワードは消え、元に戻せません。</li>
              <li>スレッドと書き込みは残り、名前は「名無し」に変わります。</li>
              <li>すべての端末からログアウトします。</li>
            </ul>
          }
          fields={['name']}
          findProblem={({ name }) =>
            name.trim() === '' ? { field: 'name', message: messages.account_delete_unconfirmed } : null
          }
          refusals={{ bad_username: 'name' }}
          send={async (currentPassword, { name }) => {
            await deleteAccount(name, currentPassword)
            leaveSession('アカウントを削除しました。')
          }}
        >
          {(about) => (
            <NameField
              name="name"
              label="確認のため、会員名を入力"
              hint={`「${user.name}」と入力してください。`}
              describedBy={about('name')}
            />
          )}
        </ConfirmedForm>
      </Dialog>
    </ProfileSection>
  )
}
