import { Link } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { Entrance } from '../../features/accounts/entrance.tsx'
import { ForgotForm, NoMail } from '../../features/accounts/forgot-form.tsx'

/** Requests a mail with a link to reset the password, where the board can send mail. */
export function ForgotPasswordPage() {
  const { sendsMail } = useSite()
  return (
    <>
      <PageHead
        title="パスワードの再設定"
        description="忍板のパスワードを忘れたときは、確認の済んだメールアドレスに再設定の案内を送ります。"
        path={paths.forgotPassword}
        noindex
      />
      <Entrance
        title="パスワードの再設定"
        watchword={['忘', '却']}
        {...(sendsMail && { lead: '確認の済んだメールアドレスに、再設定の案内を送ります。' })}
        ways={<Link to={paths.login()}>ログインに戻る</Link>}
      >
        {sendsMail ? <ForgotForm /> : <NoMail />}
      </Entrance>
    </>
  )
}
