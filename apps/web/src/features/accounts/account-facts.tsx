import type { Profile } from '@shinobi/contract/accounts'
import { useState } from 'react'
import { useSite } from '../../app/site-context.tsx'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Seal } from '../../ui/seal.tsx'
import { sendVerification } from './api.ts'
import { EmailDialog } from './email-dialog.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { Fact, ProfileSection } from './profile-section.tsx'
import styles from './profile-section.module.css'
import { reloadUser } from './reload-user.ts'
import { useRequest } from '../../lib/use-request.ts'

/** Private facts of the member: mail address, password, Google. */
export function AccountFacts({ profile, onChanged }: { profile: Profile; onChanged: () => void }) {
  return (
    <ProfileSection id="account" title="アカウント">
      <ul className={styles['facts']}>
        <EmailFact profile={profile} onChanged={onChanged} />
        <PasswordFact profile={profile} onChanged={onChanged} />
        <Fact label="Google" value={profile.hasGoogle ? '連携しています' : '連携していません'} />
      </ul>
    </ProfileSection>
  )
}

function EmailFact({
  profile: { name, email, emailVerified, hasPassword },
  onChanged,
}: {
  profile: Profile
  onChanged: () => void
}) {
  const { sendsMail } = useSite()
  const [changing, setChanging] = useState(false)
  const [sent, setSent] = useState<string | null>(null)
  const { busy, problem, complain, send } = useRequest()
  const open = email !== null && !emailVerified
  const ask = () =>
    void send(async () => {
      setSent(null)
      setSent((await sendVerification()).message)
      // It may have been confirmed on another device meanwhile.
      onChanged()
    })
  return (
    <Fact
      label="メールアドレス（公開されません）"
      value={
        <>
          {email ?? '登録されていません'}
          {email !== null && <Seal tone={emailVerified ? 'teal' : 'gold'}>{emailVerified ? '確認済' : '未確認'}</Seal>}
        </>
      }
      action={
        open && (
          <>
            {sendsMail && (
              <Button size="sm" busy={busy} onClick={ask}>
                確認メールを送る
              </Button>
            )}
            <Button size="sm" variant="ghost" onClick={() => setChanging(true)}>
              アドレスを変える
            </Button>
          </>
        )
      }
    >
      {open && sendsMail && sent === null && problem === null && (
        <p className={styles['hint']}>確認が済むと、このアドレスでのログインと、パスワードの再設定ができます。</p>
      )}
      {sent !== null && <Notice tone="success">{sent}</Notice>}
      {problem !== null && (
        <p className={styles['problem']} role="alert">
          {problem}
        </p>
      )}
      <EmailDialog
        open={changing}
        name={name}
        hasPassword={hasPassword}
        onClose={() => setChanging(false)}
        onDone={(message) => {
          setChanging(false)
          // Of the address before.
          complain(null)
          setSent(message)
          onChanged()
          void reloadUser()
        }}
      />
    </Fact>
  )
}

function PasswordFact({ profile: { name, hasPassword }, onChanged }: { profile: Profile; onChanged: () => void }) {
  const [open, setOpen] = useState(false)
  const [done, setDone] = useState<string | null>(null)
  return (
    <Fact
      label="パスワード"
      value={hasPassword ? '設定されています' : '設定されていません'}
      action={
        <Button
          size="sm"
          onClick={() => {
            setDone(null)
            setOpen(true)
          }}
        >
          {hasPassword ? 'パスワードを変える' : 'パスワードを設定する'}
        </Button>
      }
    >
      {done !== null && <Notice tone="success">{done}</Notice>}
      <PasswordDialog
        open={open}
        name={name}
        hasPassword={hasPassword}
        onClose={() => setOpen(false)}
        onDone={(message) => {
          setOpen(false)
          setDone(message)
          onChanged()
        }}
      />
    </Fact>
  )
}
