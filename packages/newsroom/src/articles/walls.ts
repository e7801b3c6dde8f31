/**
 * Tells an article from what stands in its place: a page that is gone but says 200, maintenance, a
 * wall of cookies or log-in, an advertisement. By the title, or by most of the text.
 */
import type { NewsProblem } from '@shinobi/contract/news'
import { splitSentences } from '../claims/sentences.ts'

/** Of news are 410人が参加 and アニメの配信終了へ. */
const GONE_TITLE = new RegExp(
  [
    '^(?:(?:error|エラー)\\s*)?(?:404|410)(?=\\s*(?:$|[:：|｜.。!！–—-]|error|エラー|ページ|お探し|not|page|gone))',
    'not found',
    '(?:ページ|記事|コンテンツ)(?:は|が|を)(?:見つかりません|見つかりませんでした|存在しません|ありません|表示できません)',
    '(?:掲載|公開|配信)(?:期間(?:は|が|を)?(?:終了|終わり)|(?:は|を)?(?:終了|終わり)(?:(?:いた)?し|のお知らせ|まし))',
    '^(?:この|当該)?(?:(?:記事|ページ|コンテンツ)の)?(?:掲載|公開|配信)終了$',
    'お探しの(?:ページ|記事)',
  ].join('|'),
  'iu',
)
const AWAY_TITLE =
  /メンテナンス(?:中|のお知らせ)|(?:サービス|サイト)を?(?:一時)?停止|一時的に(?:ご)?利用(?:いただけ|でき)|service (?:temporarily )?unavailable|maintenance|アクセスが集中|しばらく(?:お待ち|してから)/iu
const WALL_TITLE =
  /^(?:ログイン|会員(?:登録|ログイン)|サインイン|(?:sign|log) ?in|(?:プライバシー|cookie|クッキー)(?:設定|ポリシー|の同意).*|アクセス(?:が)?(?:拒否|制限).*|access denied|just a moment.*|attention required.*)$/iu
/** 【PR】, (PR企画), <企画・制作 北日報社広告局>. */
const ADVERT = '(?:PR|AD|広告|スポンサード|sponsored|タイアップ|提供記事|記事広告)(?:企画|記事|特集|content)?'
const ADVERT_TITLE = new RegExp(
  `^[\\s【［[(（〈<]*${ADVERT}(?:[\\s】］\\])）〉>:：|｜]|$)|[【［[(（〈<]\\s*${ADVERT}\\s*[】］\\])）〉>]\\s*$`,
  'iu',
)
const ADVERT_LINE = new RegExp(
  `^[【［[(（〈<＜]\\s*${ADVERT}\\s*[】］\\])）〉>＞]|^(?:PR|sponsored(?: content)?)$`,
  'iu',
)
const ADVERT_CREDIT = /^[【［[(（〈<＜\s]*(?:企画|制作)[・=＝:：\s\u3000]*(?:企画|制作)?[^。]{0,30}広告/u
/** Marks of advertisements stand above the text; further down they are of what lies in between. */
const ADVERT_LINES = 3

const GONE_TEXT =
  /(?:ページ|記事|コンテンツ|URL|情報)(?:は|が|を)[^。]{0,20}(?:見つかりません|見つけられません|存在しません|削除|移動|表示できません)|(?:掲載|公開|配信)(?:期間)?(?:は|を|が)?[^。]{0,6}(?:終了|終わり)|アドレス(?:が|を)[^。]{0,12}(?:変更|確認|間違)|トップページ(?:に|へ)(?:戻|お戻)|page (?:you|was|could|does)[^.]{0,40}(?:not|moved|removed)/iu
const AWAY_TEXT =
  /メンテナンス|アクセスが集中|しばらく(?:時間を(?:おいて|置いて)|してから|お待ち)|一時的に[^。]{0,20}(?:利用|表示|停止)|ご(?:不便|迷惑)をおかけ|復旧|ご(?:利用|覧)(?:いただけ|になれ)ません|ご了承(?:ください|下さい)|temporarily unavailable/iu
const WALL_TEXT =
  /cookie|クッキー|同意(?:する|した|いただ|の上)|プライバシー(?:ポリシー|設定)|個人情報の取り扱い|第三者(?:へ|に)の?(?:提供|送信)|(?:会員|ログイン|サインイン|無料登録|有料)(?:登録|会員|する|して|が必要|の方|限定|プラン)|パスワード|メールアドレスを|続き(?:を|は)[^。]{0,20}(?:読|会員|ログイン|登録)|JavaScript|ブラウザ(?:を|の|ー)|ロボットではない|your browser|enable/iu

/** Walls speak to their reader; newspapers, also about cookies and outages, do not. */
const ADDRESSING = /(?:ます|です|ません|でした|ました|ください|下さい|さい)[。！!」]?$|\b(?:you|your|please)\b/iu
/** With at least this share of a text, its kind is that of the page. */
const SHARE = 0.5

/** Whether the lines of an article, with those of furniture, say that it is an advertisement. */
export const isAdvert = (lines: readonly string[]): boolean =>
  lines.slice(0, ADVERT_LINES).some((line) => ADVERT_LINE.test(line)) || lines.some((line) => ADVERT_CREDIT.test(line))

/** The problem of a page that is no article; null for one that may be. */
export function findWall(title: string, text: string): NewsProblem | null {
  if (GONE_TITLE.test(title)) return 'gone'
  if (AWAY_TITLE.test(title) && shareOf(text, AWAY_TEXT) > 0.2) return 'unavailable'
  if (WALL_TITLE.test(title.trim())) return 'no_article'
  if (ADVERT_TITLE.test(title)) return 'no_article'
  if (shareOf(text, GONE_TEXT) >= SHARE) return 'gone'
  if (shareOf(text, AWAY_TEXT) >= SHARE) return 'unavailable'
  return shareOf(text, WALL_TEXT) >= SHARE ? 'no_article' : null
}

/** The share of a text that stands in sentences of a kind. */
function shareOf(text: string, kind: RegExp): number {
  const sentences = splitSentences(text).map((sentence) => sentence.text)
  const ofKind = sentences.filter((sentence) => kind.test(sentence) && ADDRESSING.test(sentence))
  return sentences.length === 0 ? 0 : ofKind.join('').length / sentences.join('').length
}
