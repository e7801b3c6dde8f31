import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { ClientCode } from '../../features/shields/client-code.tsx'
import { Document, DocumentSection } from '../../ui/document.tsx'

/** How browsers of 2ch (専ブラ) read and write here, and the code that they need in raid mode. */
export function ClientsPage() {
  const { publicUrl } = useSite()
  return (
    <>
      <PageHead
        title="専ブラで読む"
        description="忍板は、JDimやChMateなど2ちゃんねる用のブラウザ（専ブラ）でも読み書きできます。登録のしかたと、書き込みの決まりの案内です。"
        path={paths.clients}
      />
      <Document
        title="専ブラで読む"
        lead="JDimやChMateなど、2ちゃんねる用のブラウザ（専ブラ）でも読み書きできます。アカウントは要りません。"
      >
        <DocumentSection id="adding" title="板を登録する">
          <p>専ブラの「外部板の追加」や「板の登録」に、次のどちらかのアドレスを入れます。</p>
          <dl>
            <dt>板をまとめて登録する（外部BBSMENU）</dt>
            <dd>
              <code>{publicUrl}/bbsmenu.html</code> または <code>{publicUrl}/bbsmenu.json</code>
            </dd>
            <dt>板を1つずつ登録する（例：雑談）</dt>
            <dd>
              <code>{publicUrl}/general/</code>
            </dd>
          </dl>
        </DocumentSection>
        <DocumentSection id="writing" title="書き込む">
          <ul>
            <li>決まりはこのサイトと同じです。ID、トリップ（名前#鍵）、sageも使えます。</li>
            <li>はじめて書き込むと確認が出ます。同じ内容をもう一度送ると書き込まれます。</li>
            <li>画像は送れません。会員としても書き込めません。</li>
            <li>専ブラで書き込むと、忍法帖はこのサイトとは別に数えます。</li>
          </ul>
        </DocumentSection>
        <DocumentSection id="code" title="結界のときのコード">
          <p>
            荒らし対策の結界を張っている間、はじめての方にはコードをお願いすることがあります。出てきたコードを、専ブラのメール欄に
            # を付けて入れてください。1回だけ、10分間使えます。ほかの人には表示されません。
          </p>
          <ClientCode />
        </DocumentSection>
      </Document>
    </>
  )
}
