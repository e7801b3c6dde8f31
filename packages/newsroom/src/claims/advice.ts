/**
 * Advice for the language model's second try, by finding. Only findings are stored and shown to
 * administrators: they state what is wrong, without advice.
 */

/** Beginnings of the findings for which there is advice. */
export const FOUND = {
  unreadable: 'JSONとして読める回答がありませんでした',
  cutOff: '回答が長すぎて途中で切れました',
  hangul: 'ハングルがあります',
  simplified: '中国語の字体があります',
  foreign: '日本語の文ではありません',
  address: 'URL・メールアドレス・電話番号があります',
  markup: '記号や書式があります',
  severalSentences: '一つの文ではありません',
  grave: '記事のその箇所にない重大な事柄があります',
  turned: '記事のその箇所とは向きが逆です',
  superlative: '記事のその箇所にない最上級の言葉があります',
  swapped: '数が入れ替わっています',
  reversed: '引用と肯定・否定が逆です',
  hardened: '記事のその箇所では予定や可能性であることを、事実として述べています',
  copied: '記事の文をそのまま',
  copiedWhole: '全体として、記事の文をほとんどそのまま写しています',
  misquoted: '引用が記事の本文にありません',
  quotedTooMuch: '引用が多すぎます',
  unrelatedQuote: '引用と関係のない文です',
  ungrounded: '記事にない言葉がほとんどです',
  unjudged: '検査できない回答でした',
  contradicted: '検証では、記事のその箇所と食い違います',
  notStated: '検証では、記事のその箇所からはわかりません',
} as const

const ONLY_WHAT_IS_THERE = '記事に書かれていることだけを書いてください。'
const OWN_WORDS = '自分の言葉で書いてください。'
const JAPANESE = '日本語の文で書いてください。'

const ADVICE: Readonly<Record<keyof typeof FOUND, string>> = {
  unreadable: '決められた形のJSONだけを返してください。',
  cutOff: '短く書いてください。',
  hangul: JAPANESE,
  simplified: JAPANESE,
  foreign: JAPANESE,
  address: '書かないでください。',
  markup: '文章だけを書いてください。',
  severalSentences: '文を分けるか、つなげてください。',
  grave: ONLY_WHAT_IS_THERE,
  turned: ONLY_WHAT_IS_THERE,
  superlative: ONLY_WHAT_IS_THERE,
  swapped: '何の数かを記事のとおりに書いてください。',
  reversed: ONLY_WHAT_IS_THERE,
  hardened: '予定は予定、可能性は可能性として書いてください。',
  copied: OWN_WORDS,
  copiedWhole: OWN_WORDS,
  misquoted: '一字一句そのまま写してください。',
  quotedTooMuch: '短く引用してください。',
  unrelatedQuote: 'その文のもとになった箇所を引用してください。',
  ungrounded: ONLY_WHAT_IS_THERE,
  unjudged: '短く、ふつうの文で書いてください。',
  contradicted: ONLY_WHAT_IS_THERE,
  notStated: ONLY_WHAT_IS_THERE,
}

const PLACE = /^(?:見出し|\d+文目): /

/** A finding with advice, where the finding alone does not say what to do. */
export function withAdvice(finding: string): string {
  const found = finding.replace(PLACE, '')
  const kinds = Object.keys(FOUND) as (keyof typeof FOUND)[]
  const kind = kinds.find((one) => found.startsWith(FOUND[one]))
  return kind === undefined ? finding : `${finding}${ADVICE[kind]}`
}
