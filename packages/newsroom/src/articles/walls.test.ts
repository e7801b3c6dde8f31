import { expect, it } from 'vitest'
import { MATTERS } from '../testing/outside/newspaper.ts'
import { findWall, isAdvert } from './walls.ts'

it.each([
  ['a missing page', '404 Not Found', 'お探しのページは見つかりませんでした。アドレスをご確認ください。', 'gone'],
  ['a page that is over', 'ニュース', 'この記事の掲載期間は終了しました。トップページへお戻りください。', 'gone'],
  ['a title of a missing page', 'ページが見つかりません', '本日の主なニュースです。', 'gone'],
  [
    'a wall of cookies',
    '地方ニュース',
    '当サイトではCookieを使用しています。閲覧を続けると、Cookieの利用に同意したことになります。設定はプライバシーポリシーで変更できます。',
    'no_article',
  ],
  [
    'a log-in',
    'ログイン',
    '会員の方はメールアドレスを入力してください。パスワードをお忘れの方はこちらです。',
    'no_article',
  ],
  [
    'a wall of log-in under the title of the article',
    '市長、図書館の移転を表明',
    '続きを読むには会員登録が必要です。ログインすると、すべての記事をご覧になれます。',
    'no_article',
  ],
  [
    'a challenge',
    'Just a moment...',
    'Please enable JavaScript and cookies in your browser to continue.',
    'no_article',
  ],
  [
    'maintenance in many words',
    'お知らせ',
    'ただいまサーバーのメンテナンスを行っています。午前6時まで、すべてのページがご利用いただけません。終了までしばらくお待ちください。時間は前後することがあります。あらかじめご了承ください。紙面は通常どおり発行します。',
    'unavailable',
  ],
  ['an advertisement', '【PR】話題の新製品を試してみた', '使い始めて一週間で、違いに驚いた。', 'no_article'],
  ['one whose title ends so', '話題の新製品を試してみた（PR企画）', '使い始めて一週間で、違いに驚いた。', 'no_article'],
])('%s is no article', (_, title, text, problem) => {
  expect(findWall(title, text)).toBe(problem)
})

it.each([
  [
    'news of cookies',
    '総務省、クッキーの規制を強化へ',
    '総務省は、クッキーの利用に利用者の同意を求める方針を固めた。第三者への提供も対象になる。同意の画面の書き方は業界と詰める。',
  ],
  [
    'news of an outage',
    '通信大手で障害、一時利用できず',
    '通信大手のサービスが10日朝から一時的に利用できなくなった。正午に復旧した。原因はメンテナンスの手順の誤りという。',
  ],
  [
    'news of a deletion',
    '動画サイト、違法動画3万件を削除',
    '運営会社は、違法な動画が見つかったとして3万件を削除した。',
  ],
  ['a title with PR in it', 'PR会社の社長が会見', '社長は責任を認めた。'],
])('%s is one', (_, title, text) => {
  expect(findWall(title, text)).toBeNull()
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
