/**
 * Findings, and the advice that the language model gets with them for its second try. Only findings
 * are stored and shown to administrators: they state what is wrong, without advice.
 */

const ONLY_WHAT_IS_THERE = '記事に書かれていることだけを書いてください。'
const OWN_WORDS = '自分の言葉で書いてください。'
const JAPANESE = '日本語の文で書いてください。'

/** The beginning of a finding, and its advice. */
const ADVICE = {
  unreadable: ['JSONとして読める回答がありませんでした', '決められた形のJSONだけを返してください。'],
  cutOff: ['回答が長すぎて途中で切れました', '短く書いてください。'],
  hangul: ['ハングルがあります', JAPANESE],
  simplified: ['中国語の字体があります', JAPANESE],
  foreign: ['日本語の文ではありません', JAPANESE],
  address: ['URL・メールアドレス・電話番号があります', '書かないでください。'],
  markup: ['記号や書式があります', '文章だけを書いてください。'],
  severalSentences: ['一つの文ではありません', '文を分けるか、つなげてください。'],
  grave: ['記事のその箇所にない重大な事柄があります', ONLY_WHAT_IS_THERE],
  turned: ['記事のその箇所とは向きが逆です', ONLY_WHAT_IS_THERE],
  superlative: ['記事のその箇所にない最上級の言葉があります', ONLY_WHAT_IS_THERE],
  swapped: ['数が入れ替わっています', '何の数かを記事のとおりに書いてください。'],
  reversed: ['引用と肯定・否定が逆です', ONLY_WHAT_IS_THERE],
  hardened: [
    '記事のその箇所では予定や可能性であることを、事実として述べています',
    '予定は予定、可能性は可能性として書いてください。',
  ],
  copied: ['記事の文をそのまま', OWN_WORDS],
  copiedWhole: ['全体として、記事の文をほとんどそのまま写しています', OWN_WORDS],
  misquoted: ['引用が記事の本文にありません', '一字一句そのまま写してください。'],
  quotedTooMuch: ['引用が多すぎます', '短く引用してください。'],
  unjudged: ['検査できない回答でした', '短く、ふつうの文で書いてください。'],
  contradicted: ['検証では、記事のその箇所と食い違います', ONLY_WHAT_IS_THERE],
  notStated: ['検証では、記事のその箇所からはわかりません', ONLY_WHAT_IS_THERE],
} as const satisfies Record<string, readonly [finding: string, advice: string]>

type Kind = keyof typeof ADVICE

/** Beginnings of the findings for which there is advice. */
export const FOUND = Object.fromEntries(Object.entries(ADVICE).map(([kind, [finding]]) => [kind, finding])) as Readonly<
  Record<Kind, string>
>

const PLACE = /^(?:見出し|\d+文目): /

/** A finding with advice, where the finding alone does not say what to do. */
export function withAdvice(finding: string): string {
  const found = finding.replace(PLACE, '')
  const [, advice = ''] = Object.values(ADVICE).find(([beginning]) => found.startsWith(beginning)) ?? []
  return `${finding}${advice}`
}
