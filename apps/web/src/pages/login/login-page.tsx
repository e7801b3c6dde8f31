import { Link, useSearchParams } from 'react-router'
import { GuestGuard } from '../../app/guards.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { Divider, Entrance } from '../../features/accounts/entrance.tsx'
import { GoogleButton } from '../../features/accounts/google-button.tsx'
import { LoginForm } from '../../features/accounts/login-form.tsx'
import { enterSession } from '../../features/accounts/session.ts'
import { useSession } from '../../features/accounts/use-session.ts'
import { Notice } from '../../ui/notice.tsx'

export function LoginPage() {
  const [parameters] = useSearchParams()
  const session = useSession()
  const reason = session.status === 'out' ? session.reason : null
  const next = parameters.get('next') ?? undefined
  return (
    <>
      <PageHead
        title="ログイン"
        description="忍板にログインして、自分の名前で書き込みます。読むのも匿名で書くのも、ログインは要りません。"
        path={paths.login()}
        noindex
      />
      <GuestGuard>
        <Entrance
          title="ログイン"
          watchword={['山', '川']}
          lead={reason === null && '合言葉をどうぞ。'}
          ways={
            <>
              <Link to={paths.register(next)}>はじめての方は登録へ</Link>
              <Link to={paths.forgotPassword}>パスワードを忘れた</Link>
            </>
          }
        >
          {reason !== null && <Notice tone="info">{reason}</Notice>}
          <LoginForm />
          <Divider>またはGoogleでログイン</Divider>
          <GoogleButton kind="login" onEntered={enterSession} />
        </Entrance>
      </GuestGuard>
    </>
  )
}
