import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { GuestGuard } from '../../app/guards.tsx'
import { nextPath } from '../../app/next-path.ts'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { Divider, Entrance } from '../../features/accounts/entrance.tsx'
import { GoogleButton } from '../../features/accounts/google-button.tsx'
import { RegisterForm } from '../../features/accounts/register-form.tsx'
import { Welcome } from '../../features/accounts/welcome.tsx'
import { enterSession } from '../../features/accounts/session.ts'

export function RegisterPage() {
  const [parameters] = useSearchParams()
  const navigate = useNavigate()
  const [welcome, setWelcome] = useState<{ name: string; message: string } | null>(null)

  const enter = (user: User, message: string) => {
    // Show the banner first: once the session exists, the guard redirects a member who still sees
    // the form.
    flushSync(() => setWelcome({ name: user.name, message }))
    enterSession(user)
  }

  const goOn = () => void navigate(nextPath(`?${parameters}`), { replace: true })

  return (
    <>
      <PageHead
        title="登録"
        description="忍板に名前を登録します。自分の名前で書き込み、画像を付け、天照を灯せます。登録は無料です。"
        path={paths.register()}
        noindex
      />
      {welcome === null ? (
        <GuestGuard>
          <Entrance
            title="新規登録"
            watchword={['入', '門']}
            lead="この板で使う名前を登録します。"
            ways={<Link to={paths.login(parameters.get('next') ?? undefined)}>登録済みの方はログインへ</Link>}
          >
            <RegisterForm onEntered={enter} />
            <Divider>またはGoogleで登録</Divider>
            <GoogleButton
              kind="register"
              onEntered={(user, message) => enter(user, message === '' ? messages.google_register_succeeded : message)}
            />
          </Entrance>
        </GuestGuard>
      ) : (
        <Welcome {...welcome} onSeen={goOn} />
      )}
    </>
  )
}
