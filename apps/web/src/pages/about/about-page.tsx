import { SPAM_POSTS, SPAM_WINDOW_MINUTES } from '@shinobi/contract/limits'
import { SOURCE_ARCHIVE } from '@shinobi/contract/site'
import { Link } from 'react-router'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { Document, DocumentSection } from '../../ui/document.tsx'

/** User agent of requests to publishers (packages/newsroom), for their robots.txt. */
const NEWS_AGENT = 'ShinobiItaBot'

/** The purpose of the board, its technology and its security. It names only what is in use. */
export function AboutPage() {
  const { sourceUrl, version } = useSite()
  return (
    <>
      <PageHead
        title="案内"
        description="忍板は、登録なしで匿名のまま語れるオープンソースの掲示板です。目的、使っている技術、安全の仕組み、生い立ち、ご意見の届け方をご案内します。"
        path={paths.about}
        jsonLd={{ '@type': 'AboutPage', name: '忍板について', inLanguage: 'ja' }}
      />
      <Document
        title="忍板について"
        lead="忍板（しのびいた）は、名を明かさずに語れる、忍者の掲示板です。読むのも書くのも登録は要りません。"
      >
        <DocumentSection id="purpose" title="目的">
          <p>
            立場や肩書きを離れ、言葉そのもので語り合える場をつくること。それがこの板の目的です。政治や経済から日々の愚痴まで、スレッドを立て、その場で返し合い、気に入ったものには「天照」の火を灯せます。
          </p>
          <p>
            ニュースの要約から始まるスレッドもあります。「AI要約」などの印と出典を必ず付け、元の記事をたどれるようにしています。
          </p>
        </DocumentSection>

        <DocumentSection id="clients" title="専ブラ">
          <p>
            2ちゃんねる用のブラウザ（専ブラ）でも読み書きできます。登録のしかたは
            <Link to={paths.clients}>専ブラで読む</Link>をご覧ください。
          </p>
        </DocumentSection>

        <DocumentSection id="news" title="ニュースの要約">
          <p>
            ニュースのスレッドは、公開されたフィードと記事から自動で作られます。最初の書き込みに、どう作られたかを示します。
          </p>
          <dl>
            <dt>AI要約</dt>
            <dd>
              記事だけを材料に、AIが書いた要約です。どの文も、もとにした記事の一節を開いて確かめられます。記事にない数字・名前・引用を含む要約は、自動で検査して掲載を止めます。それでも誤りは残ることがあります。
            </dd>
            <dt>抜粋要約</dt>
            <dd>AIを使わず、記事の文をそのまま抜き出したものです。</dd>
            <dt>見出しのみ</dt>
            <dd>見出しと、元の記事へのリンクだけの紹介です。</dd>
          </dl>
          <p>
            誤りを見つけたら、要約の下の「AIの誤りを報告」からお知らせください。直したときは、いつ何を直したかを要約の下に残します。元の記事が変わったり、なくなったりしたときも、そう記します。AI要約のスレッドは、一覧の「AI要約を隠す」で見えなくできます。
          </p>
          <p>
            <strong>記事を公開されている方へ</strong>：取得に使う名前は <code>{NEWS_AGENT}</code> です。robots.txt
            で断ると、記事を読みに行きません。Content-Signal の ai-input=no、robots メタタグ、X-Robots-Tag、TDM
            Reservation Protocol による意思表示にも従います。掲載の取り下げのご依頼は、
            <Link to={`${paths.terms}#contact`}>利用規約の連絡先</Link>へお送りください。
          </p>
        </DocumentSection>

        <DocumentSection id="stack" title="技術">
          <p>
            忍板はオープンソースです。<a href={sourceUrl ?? SOURCE_ARCHIVE}>ソースコード</a>
            はどなたでも読み、動かし、直せます（AGPL-3.0）。
          </p>
          {version !== null && (
            <p>
              いま動いている忍板は、<a href={sourceUrl ?? SOURCE_ARCHIVE}>{`版 ${version}`}</a> です。
            </p>
          )}
          <dl>
            <dt>画面</dt>
            <dd>React と TypeScript。サーバーで組み立てたページを送るので、スクリプトが動かなくても読めます。</dd>
            <dt>サーバー</dt>
            <dd>Node.js と Fastify。</dd>
            <dt>データベース</dt>
            <dd>PostgreSQL。スレッドや書き込みは表として、形の決まっていない記録はJSONBの文書として保存しています。</dd>
            <dt>リアルタイム</dt>
            <dd>WebSocket（Socket.IO）。新しい書き込みは、読み込み直さなくてもその場に届きます。</dd>
          </dl>
        </DocumentSection>

        <DocumentSection id="security" title="安全">
          <p>荒らしには、三つの仕組みで備えています。</p>
          <ul>
            <li>
              <strong>禁止語の自動チェック</strong>：使えない言葉を含む書き込みは受け付けません。
            </li>
            <li>
              <strong>連続した書き込みの制限</strong>：{SPAM_WINDOW_MINUTES}分間に{SPAM_POSTS}
              回目からは、時間をおくまで書き込めません。
            </li>
            <li>
              <strong>利用者の通報</strong>：各書き込みから通報でき、運営が確かめて対処します。行ったことは
              <Link to={paths.moderationLog}>御触書</Link>に公開します。
            </li>
          </ul>
          <p>
            スレッドを立てた方（スレ主）も、忍法帖のレベルに応じて、自分のスレッドで脱線した書き込みを折りたたんだり、IDをその日のあいだ止めたりできます。書き込みを消すことはできません。行ったことはすべて、そのスレッドの「スレ主の記録」で読めます。
          </p>
          <p>
            IPアドレスを書き込みと一緒に残すことはありません。画像は受け取るたびに作り直し、撮影場所などの情報を取り除きます。登録した方のパスワードは、元に戻せない形（Argon2id）に変えて保存します。記録についての約束は
            <Link to={`${paths.terms}#log`}>利用規約の第三条</Link>にあります。
          </p>
        </DocumentSection>

        <DocumentSection id="identity" title="IDとトリップ">
          <p>
            名前がなくても話の流れを追えるように、書き込みの時刻のとなりに8文字のIDを表示します（カテゴリによっては表示しません）。押すと、同じIDの書き込みをまとめて読めます。
          </p>
          <ul>
            <li>
              <strong>同じIDになる範囲</strong>
              ：同じスレッドの、その日（日本時間）の、同じ人の書き込みです。カテゴリによっては、そのカテゴリ全体で同じになります。運営の印のある書き込みには付きません。
            </li>
            <li>
              <strong>同じ人とみなすもの</strong>
              ：登録した方は1人、忍法帖のレベルがあるブラウザ（レベルは、書き込んだ日の翌日から付きます）も1人です。そのほかのブラウザは、同じ回線の範囲（IPv4は/24、IPv6は/48）をまとめて1人とします。初めて書き込んだ日は、近くの回線のほかの方と同じIDになることがあります。
            </li>
            <li>
              <strong>残らないもの</strong>
              ：IDを作る鍵は、その日が終わると消えます。過ぎた日のIDを作り直すことも、別のスレッドや別の日のIDが同じ人のものか調べることも、運営を含めて誰にもできません。データベースが壊れて復旧した日は、途中からIDが変わることがあります。
            </li>
          </ul>
          <p>
            名前に「名前#鍵」と入れると、「名前◆トリップ」と表示されます。鍵を知る人だけが同じトリップを出せるので、日やスレッドが変わっても本人だと示せます。鍵は保存せず、表示もしません。
          </p>
        </DocumentSection>

        <DocumentSection id="background" title="背景">
          <p>
            かつての掲示板には、名無し同士だから言えたこと、その夜限りの熱がありました。けれど古い板は、携帯電話では読みにくく、検索は日本語を見つけられず、荒らしには無力でした。
          </p>
          <p>
            忍板は、あの気安さを今の技術で作り直す試みです。速く、静かで、読みやすいこと。姿を見せず仕事を果たす忍びを、その手本にしました。
          </p>
        </DocumentSection>

        <DocumentSection id="feedback" title="ご意見">
          <p>
            不具合やご要望は、
            {sourceUrl === null ? (
              <Link to={`${paths.terms}#contact`}>利用規約の連絡先</Link>
            ) : (
              <a href={sourceUrl}>ソースコードの置き場</a>
            )}
            へお寄せください。ご利用の前に<Link to={paths.terms}>利用規約</Link>もご一読ください。
          </p>
        </DocumentSection>
      </Document>
    </>
  )
}
