/**
 * Cuts the display face (Zen Antique, SIL OFL 1.1) down to the characters of the board's fixed
 * strings and writes apps/web/src/ui/fonts/: two woff2 files, their CSS with a metric-matched
 * fallback, and the licence. Run it after adding a fixed string in the display face: npx -p node@26
 * node scripts/subset-font.mjs
 * Characters outside of these strings fall back, glyph by glyph, to the system's Mincho.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

/**
 * Strings that every page may show: the logo, digits, seals, the list screens. One small file that
 * nearly every page needs.
 */
const core = [
  '忍板 0123456789 ,.:/#',
  'スレッド一覧 このカテゴリの急上昇 急上昇 注目のカテゴリ カテゴリ一覧 匿名で語る忍びの板',
  '忍び込み中… 読み込み中',
  'AI要約 固定 施錠 ロック 管理 天照 新着 済 まもなく完走 過去ログ',
  // The seven known categories.
  '政治 経済 国際 移民 日本の移民問題 愚痴 雑談',
]

/**
 * Titles of the other screens, dialogs and states: the browser fetches this file only where one of
 * them is shown.
 */
const more = [
  '、。・「」『』（）！？〜～ー々',
  'スレッドを立てる 新しいスレッド スレッド作成 案内 忍板について この板について',
  '利用規約 掟 御触書（運営の記録） この板で使う名前を登録します 次元崩壊 ログイン 新規登録 会員登録 プロフィール 検索結果 忍び帳',
  '第一条 第二条 第三条 第四条 第五条 第六条 忍びの心得 禁術 記録の巻物 免責 改定 連絡先',
  '目的 技術 安全 守り 背景 ご意見 仕組み 見回り 生い立ち 声を届ける 術の内訳',
  '専ブラで読む 結界のときのコード IDとトリップ 書き手の履歴 エラー',
  'ニックネームを決める 忍び名を選ぶ 通報する この書き込みを通報 投稿を通報 削除の確認 メニュー 画像',
  '表示 承認 確認待ち 訂正 匿名 本人 接続が切れました 通信が途絶えました 帳面 帳面をすべて消す 忍法帖 NG設定 登録成功 ようこそ 該当なし',
  // The screens of an account, and the inscriptions beside their gate.
  '登録 Google登録成功 Googleでログインしました 山川入門忘却新鍵確認 忍び帳 隠',
  'パスワードの再設定 新しいパスワード メールアドレスの確認 プロフィール情報 アカウント パスワード変更 パスワード設定',
  '書き込んだスレッド ログイン中の端末 アカウントの削除 アカウントを削除する 画像を切り抜く 名前を変える',
  // The administration, and its words for a post, a member, a thread.
  'ダッシュボード 通報 確認待ち 書き込み 会員 利用者 書き込みの制限 結界 禁止語 一時記録 設定 操作の記録 メモ 通報者を除外',
  '権限を変える スレッドの変更 書き込みの上限 スレッドを削除 書き込みを削除 書き込みを制限 カテゴリを削除 制限を解除 操作の取り消し',
  '禁止語を追加 禁止語を変える 禁止語をまとめて追加 禁止語を削除 記録を読む 一時記録を終える キーの一覧',
  'ニュース 情報源を追加 情報源を変える 情報源を止める 情報源を削除 ニュースを止める ニュースの取り下げ 要約の訂正 まとめて追加',
  '二段階認証 二段階認証の設定 二段階認証の解除 見回り 似た書き込み 初めての方の画像 制限中 折りたたみ 取消済 有効 ブラウザ 回線 対応済 却下 会員 匿名',
]

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const target = join(root, 'apps/web/src/ui/fonts')
const source = dirname(createRequire(import.meta.url).resolve('@fontsource/zen-antique/package.json'))

const characters = (strings) => new Set(strings.join('').replaceAll(' ', ''))
const coreSet = characters(core)
const files = [
  { name: 'zen-antique-core', set: coreSet },
  { name: 'zen-antique-more', set: characters(more).difference(coreSet) },
]

// The package's Japanese file contains the Latin letters as well.
const original = await readFile(join(source, 'files/zen-antique-japanese-400-normal.woff2'))
for (const { name, set } of files) {
  const subset = await subsetFont(original, [...set].join(''), { targetFormat: 'woff2', noLayoutClosure: true })
  await writeFile(join(target, `${name}.woff2`), subset)
  console.log(`${name}: ${set.size} characters, ${subset.length} bytes`)
}

const licence = await readFile(join(source, 'LICENSE'), 'utf8')
await writeFile(join(target, 'OFL.txt'), licence)

/**
 * The same line box as the fallback's, so that the swap causes no layout shift; Japanese glyphs are
 * one em wide in both.
 */
const metrics = `ascent-override: 88%;
  descent-override: 12%;
  line-gap-override: 0%;`

const faces = files.map(
  ({ name, set }) => `@font-face {
  font-family: 'Shinobi Display';
  src: url('./${name}.woff2') format('woff2');
  font-weight: 400;
  font-display: swap;
  ${metrics}
  unicode-range: ${toUnicodeRange(set)};
}
`,
)

await writeFile(
  join(target, 'fonts.css'),
  `/* Written by scripts/subset-font.mjs. Zen Antique, SIL Open Font License 1.1 (OFL.txt). */
${faces.join('\n')}
@font-face {
  font-family: 'Shinobi Display Fallback';
  src:
    local('Hiragino Mincho ProN W6'), local('HiraMinProN-W6'), local('Yu Mincho Demibold'), local('YuMincho-Demibold'),
    local('BIZ UDPMincho'), local('Noto Serif CJK JP Bold'), local('NotoSerifCJKjp-Bold'), local('Noto Serif JP');
  ${metrics}
}
`,
)
/** Merges consecutive code points into ranges. */
function toUnicodeRange(set) {
  const points = [...set].map((character) => character.codePointAt(0)).toSorted((a, b) => a - b)
  const spans = []
  for (const point of points) {
    const last = spans.at(-1)
    if (last && last[1] === point - 1) last[1] = point
    else spans.push([point, point])
  }
  const hex = (point) => point.toString(16)
  return spans.map(([from, to]) => (from === to ? `U+${hex(from)}` : `U+${hex(from)}-${hex(to)}`)).join(', ')
}
