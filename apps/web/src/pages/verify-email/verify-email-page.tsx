import { Link } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { Entrance } from '../../features/accounts/entrance.tsx'
import { VerifyForm } from '../../features/accounts/verify-form.tsx'

/**
 * The target of the link in the mail. A press confirms the address, not the visit: mail scanners
 * open links, too.
 */
export function VerifyEmailPage() {
  return (
    <>
      <PageHead
        title="メールアドレスの確認"
        description="忍板に登録したメールアドレスが、ご自身のものであることを確認します。"
        path={paths.verifyEmail}
        noindex
      />
      <Entrance
        title="メールアドレスの確認"
        watchword={['確', '認']}
        lead="忍板に登録した覚えがあれば、ボタンを押してください。"
        ways={<Link to={paths.home}>トップへ戻る</Link>}
      >
        <VerifyForm />
      </Entrance>
    </>
  )
}
