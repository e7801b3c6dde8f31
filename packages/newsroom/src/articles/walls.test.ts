import { expect, it } from 'vitest'
import { MATTERS } from '../testing/outside/newspaper.ts'
import { findWall, isAdvert } from './walls.ts'

/** A page a line: its problem (none for news), title and text. */
const PAGES = `
gone | 404 Not Found | お探しのページは見つかりませんでした。アドレスをご確認ください。
gone | ニュース | この記事の掲載期間は終了しました。トップページへお戻りください。
gone | ページが見つかりません | 本日の主なニュースです。
gone | この記事の掲載は終了しました | 本日の主なニュースです。
gone | 公開終了のお知らせ｜忍日報 | 本日の主なニュースです。
gone | 掲載終了 | 本日の主なニュースです。
gone | エラー404：忍日報 | 本日の主なニュースです。
unavailable | お知らせ | ただいまサーバーのメンテナンスを行っています。午前6時まで、すべてのページがご利用いただけません。終了までしばらくお待ちください。時間は前後することがあります。あらかじめご了承ください。紙面は通常どおり発行します。
no_article | 地方ニュース | 当サイトではCookieを使用しています。閲覧を続けると、Cookieの利用に同意したことになります。設定はプライバシーポリシーで変更できます。
no_article | ログイン | 会員の方はメールアドレスを入力してください。パスワードをお忘れの方はこちらです。
no_article | 市長、図書館の移転を表明 | 続きを読むには会員登録が必要です。ログインすると、すべての記事をご覧になれます。
no_article | Just a moment... | Please enable JavaScript and cookies in your browser to continue.
no_article | 【PR】話題の新製品を試してみた | 使い始めて一週間で、違いに驚いた。
no_article | 話題の新製品を試してみた（PR企画） | 使い始めて一週間で、違いに驚いた。
none | 総務省、クッキーの規制を強化へ | 総務省は、クッキーの利用に利用者の同意を求める方針を固めた。第三者への提供も対象になる。同意の画面の書き方は業界と詰める。
none | 通信大手で障害、一時利用できず | 通信大手のサービスが10日朝から一時的に利用できなくなった。正午に復旧した。原因はメンテナンスの手順の誤りという。
none | 動画サイト、違法動画3万件を削除 | 運営会社は、違法な動画が見つかったとして3万件を削除した。
none | 人気アニメ、年内で配信終了へ | 配信大手は10日、人気アニメの配信を年内に終えると発表した。ファンからは惜しむ声が出た。
none | 410人が港町を走る | 市民マラソンが10日に開かれ、410人が走った。
none | PR会社の社長が会見 | 社長は責任を認めた。
`
const rows = PAGES.trim().split('\n')

it.each(rows.map((row) => row.split(' | ')))('a page has the problem %s: %s', (problem, title, text) => {
  expect(findWall(title, text) ?? 'none').toBe(problem)
})

it.each([
  [['【PR】', '新しい冷蔵庫', '野菜を新鮮に保つ。'], true],
  [['新しい冷蔵庫', '【PR】野菜を新鮮に保つ。'], true],
  [['Sponsored', '新しい冷蔵庫'], true],
  [['新しい冷蔵庫', '野菜を新鮮に保つ。', '電気代も安くなる。', '＜企画・制作　北日報社広告局＞'], true],
  [['市長が辞任', '市長は責任を認めた。', '市議会は承認する。', '【PR】', '広告'], false],
  [['広告大手が値上げ', 'PRの費用が増えた。'], false],
])('lines say that an article is an advertisement: %j, %s', (lines, expected) => {
  expect(isAdvert(lines)).toBe(expected)
})

it('none of a dozen articles is taken for one', () => {
  for (const { title, paragraphs } of MATTERS) expect(findWall(title, paragraphs.join('\n'))).toBeNull()
})
