import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import { Link } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { Document, DocumentSection } from '../../ui/document.tsx'

/**
 * Six articles. Only the titles have the ninja style; the terms themselves are in plain language.
 */
export function TermsPage() {
  const { contactEmail, googleClientId, sourceUrl } = useSite()
  return (
    <>
      <PageHead
        title="利用規約"
        description="忍板の利用規約です。忍びの心得、禁術、記録の巻物、免責、改定、連絡先の六条からなります。"
        path={paths.terms}
      />
      <Document title="利用規約" lead="忍板（以下「当板」）を利用する方は、次の六条に同意したものとみなします。">
        <DocumentSection id="conduct" mark="第一条" title="忍びの心得">
          <p>
            当板では、匿名でも登録名でも書き込めます。どちらの場合も、書き込んだ内容の責任は書き込んだ本人にあります。
          </p>
          <p>画面の向こうにいるのは人です。相手を敬い、法令と公序良俗を守って利用してください。</p>
        </DocumentSection>

        <DocumentSection id="forbidden" mark="第二条" title="禁術">
          <p>次の行為を禁止します。</p>
          <ol>
            <li>法令または公序良俗に反する行為</li>
            <li>他人を傷つける行為（中傷、脅迫、差別、嫌がらせ、個人情報の公開、権利の侵害など）</li>
            <li>当板の運営を乱す行為（連続した書き込み、宣伝、なりすまし、不正なアクセスなど）</li>
            <li>その他、運営者が不適切と判断する行為</li>
          </ol>
          <p>
            禁止行為があったとき、運営者は予告なく書き込みの削除、書き込みの制限、登録の停止を行うことがあります。気づいた方は、各書き込みの「通報」からお知らせください。運営者が行ったことは、個人が分からない形で
            <Link to={paths.moderationLog}>御触書</Link>に公開します。
          </p>
        </DocumentSection>

        <DocumentSection id="log" mark="第三条" title="記録の巻物">
          <p>
            当板は、通常、誰が書き込んだかの記録（IPアドレスや端末の情報）を残しません。連続した書き込みを防ぐための照合には、元に戻せない形に変えた値だけを使い、その鍵は毎日取り替えます。荒らしへの書き込みの制限に備えて、書き込みに使われた回線（IPアドレスそのものではなく、それを含む範囲）も同じように変えた値にし、最長
            {LOOK_BACK_DAYS}
            日間だけ残します。書き込みを制限したときは、その値を制限が終わるまで残します。この値は書き込みとは別に置き、内容とは結び付けません。
          </p>
          <p>
            ただし、違法または不正な利用が疑われるときは、対象のスレッドについて、理由と期限を定めて一時的に記録することがあります。この記録は暗号化して保管し、期限が来れば消去します。法令に基づく求めがあった場合は、これを開示することがあります。
          </p>
          <p>
            登録した方については、会員名、メールアドレス、画像、元に戻せない形に変えたパスワードを保存します。メールアドレスは公開せず、ログインと本人への連絡のほかには使いません。帳面を同期している間は、読んだスレッドと位置、お気に入り、自分の書き込みの番号も、本人の端末どうしを合わせるためだけに保存します。これは帳面からいつでも消すことができ、同期を切ることもできます。アカウントはプロフィールからいつでも削除でき、書き込みは名前を外して残ります。
          </p>
          <p>
            当板は、本人の書き込みの区別とログインのためにCookieを使います。読むだけの方には、訪問者を見分けるCookieを発行しません。
            {googleClientId !== null &&
              'ログインと登録の画面では、Googleのログインボタンを表示するために、Googleに接続します。'}
          </p>
        </DocumentSection>

        <DocumentSection id="disclaimer" mark="第四条" title="免責">
          <p>
            書き込みの内容、およびAIによる要約その他の自動で作られた要約の正確さ、完全さ、有用さについて、運営者は保証しません。AIによる要約には誤りが含まれることがあります。必ず出典の記事をお確かめください。要約の作り方と、記事を公開されている方が掲載を断る方法は、
            <Link to={`${paths.about}#news`}>案内</Link>に記しています。
          </p>
          <p>
            当板の利用、中断、終了によって生じた損害について、運営者は、故意または重大な過失がある場合を除き、責任を負いません。
          </p>
        </DocumentSection>

        <DocumentSection id="revision" mark="第五条" title="改定">
          <p>
            運営者は、必要に応じてこの規約を改定します。改定した規約はこのページに掲げた時から効力を持ち、その後の利用をもって同意とみなします。大きな変更は、あらかじめ当板で知らせます。
          </p>
        </DocumentSection>

        <DocumentSection id="contact" mark="第六条" title="連絡先">
          {contactEmail === null ? (
            <p>
              運営者への連絡先は準備中です。
              {sourceUrl !== null && (
                <>
                  不具合やご要望は<a href={sourceUrl}>ソースコードの置き場</a>へお寄せください。
                </>
              )}
            </p>
          ) : (
            <p>
              運営者へのご連絡、削除や開示のご依頼は、次の宛先へお送りください。
              <br />
              <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
            </p>
          )}
          <p>
            当板の仕組みについては<Link to={paths.about}>案内</Link>をご覧ください。
          </p>
        </DocumentSection>
      </Document>
    </>
  )
}
