/**
 * Checks that a text is Japanese prose in a neutral voice: no other language, no markup, no words
 * to readers or machines.
 */
import { FOUND } from './advice.ts'
import { dropQuotations } from './text.ts'

const LETTER = /\p{L}/gu
const JAPANESE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
/** A text with a smaller share of Japanese script is not Japanese. */
const JAPANESE_SHARE = 0.5
/** A name in Latin letters counts as at most this many characters: Remontowaが is Japanese. */
const WORD_WEIGHT = 2
const WORD = /[^\P{L}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]+/gu
/** A text with a smaller share of kana is Chinese, or a list of nouns. */
const KANA_SHARE = 0.08
/** An article with a smaller share of kana is in another language. */
const ARTICLE_KANA_SHARE = 0.1

/** Characters that only simplified Chinese has. */
const SIMPLIFIED =
  /[们这说为时过还对发东车长门问间开关见马鸟鱼龙难电话语读让认识记论议设计证评请谁谈调钱银铁错闻队阳阴际陈险隐页项顺须顾领频题颜额风飞饭馆驶验骗业丽举义习书亚产亲亿仅优传伤伦华协卫压厅历县变启员响围图圆场块坚执扩扫扬抢护报拟拥择挥损换检]/
const HANGUL = /\p{Script=Hangul}/u

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

/** Whether an article is written in another language than Japanese. */
export function isForeign(text: string): boolean {
  const letters = count(text, LETTER)
  return letters > 0 && count(text, KANA) / letters < ARTICLE_KANA_SHARE
}

/**
 * Describes the problem with the language of a title (which needs no kana) or a sentence; null when
 * it is Japanese.
 */
export function findForeignness(text: string, kind: 'title' | 'sentence'): string | null {
  if (HANGUL.test(text)) return `${FOUND.hangul}。`
  const simplified = SIMPLIFIED.exec(text)
  if (simplified !== null) return `${FOUND.simplified}（${simplified[0]}）。`
  const japanese = count(text, JAPANESE)
  const share = japanese / Math.max(1, japanese + WORD_WEIGHT * count(text, WORD))
  const kana = kind === 'title' || count(text, KANA) / Math.max(1, japanese) >= KANA_SHARE
  return share >= JAPANESE_SHARE && kana ? null : `${FOUND.foreign}。`
}

const MARKUP =
  /\*\*|__|```|`|^\s*(?:[#>*・•-]|\d{1,2}[.)．）]\s)|\[[^\]]*\]\(|<\/?[a-z!][^>]*>|&(?:amp|lt|gt|nbsp|quot|#\d+);/i
const ADDRESS =
  /https?:|www\.|[\w-]+@[\w-]|[a-z0-9-]+\.(?:com|net|org|jp|io|info|co|dev|app|xyz|me|tv|biz)(?![a-z0-9])/i
const PHONE = /(?<!\d)(?:0\d{1,4}[-(]\d{1,4}[-)]\d{3,4}|0\d{9,10}|\+\d{1,3}[-\d]{8,})(?!\d)/

/** Markup, addresses and telephone numbers; null without. */
export function findMarkup(text: string): string | null {
  const plain = text.normalize('NFKC')
  const address = ADDRESS.exec(plain)?.[0] ?? PHONE.exec(plain)?.[0]
  if (address !== undefined) return `${FOUND.address}（${address}）。`
  const markup = MARKUP.exec(text)
  return markup === null ? null : `${FOUND.markup}（${markup[0].trim().slice(0, 20)}）。`
}

/**
 * Words to readers or to a machine, and words of a text about itself, which news does not use in
 * its own voice.
 */
const TALK = new RegExp(
  [
    ...['クリック', 'タップして', 'こちらから', '続きを読む', '(?:て|で|ご[\\p{Script=Han}]{1,4})ください'],
    ...['てね[!！。]?$', 'お申し?込み', 'お問い?合わせ'],
    ...['(?:ご|会員|無料|チャンネル|メルマガ)登録(?:は|を|で|し|く)', '^登録は', 'フォローし', '購読し'],
    ...['ダウンロードし(?:よう|ましょう)', 'ましょう'],
    '(?:この|本|上記の|以下の|以上の)(?:要約|記事|文章|回答|本文|テキスト|ページ|スレッド)',
    ...['要約(?:します|しました|すると|です|文)', '記事を要約', 'aiとして', '言語モデル', '(?:システム)?プロンプト'],
    ...['system ?prompt', '(?:以前|上記|これまで|前)の(?:指示|命令|ルール)'],
    '指示(?:を|は|に)(?:すべて|全て|一切)?(?:無視|従いま|従って(?:くだ|要約|回答|出力))',
    ...['(?:承知|了解)(?:し|いた)', '申し訳(?:ありま|ござ)', 'お手伝い', 'ご覧に?な', '読者の(?:皆|みな)'],
    ...['皆(?:さん|様)(?:、|は|も|に)', 'あなた', '私は', 'わたしは', '当サイト', '当社の', 'quote', 'json'],
    'ignore (?:all|previous)',
  ].join('|'),
  'iu',
)

/**
 * Such words outside a quotation; null without. Another check finds quotations that the article
 * does not have.
 */
export const findTalk = (folded: string): string | null => TALK.exec(dropQuotations(folded))?.[0] ?? null
