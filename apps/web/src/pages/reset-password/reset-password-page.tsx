import { Link } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { Entrance } from '../../features/accounts/entrance.tsx'
import { ResetForm } from '../../features/accounts/reset-form.tsx'

/**
 * The target of the link in the mail; the token is in the fragment (#), which browsers do not send
 * to servers.
 */
export function ResetPasswordPage() {
  return (
    <>
      <PageHead
        title="新しいパスワード"
        description="メールのリンクから、忍板の新しいパスワードを設定します。"
        path={paths.resetPassword}
        noindex
      />
      <Entrance
        title="新しいパスワード"
        watchword={['新', '鍵']}
        lead="設定すると、すべての端末からログアウトします。"
        ways={
          <>
            <Link to={paths.login()}>ログインに戻る</Link>
            <Link to={paths.forgotPassword}>案内をもう一度送る</Link>
          </>
        }
      >
        <ResetForm />
      </Entrance>
    </>
  )
}
