/**
 * The words of a Japanese text by a morphological analyser (Lindera with the IPA dictionary), with
 * their parts of speech: what is a name, a verb, a negation. The dictionary takes 130 MB, so it is
 * loaded with the first text, in the thread that checks (judge-worker.ts).
 */
import { createRequire } from 'node:module'
import type * as Lindera from 'lindera-wasm-nodejs-ipadic'

export interface Word {
  /** As the text writes it. */
  readonly text: string
  /** Its dictionary form: 増える for 増え. */
  readonly base: string
  /** 名詞, 動詞, 助詞, … */
  readonly kind: string
  /** Of names 固有名詞, of nouns with する サ変接続, of verbs 自立 or 非自立. */
  readonly subkind: string
  /** Of names 人名, 地域, 組織 or 一般. */
  readonly name: string
  /** Whether the dictionary has it. */
  readonly known: boolean
  readonly start: number
  readonly end: number
}

/** A word as Lindera tells it; of one that it does not know only the text. */
interface Token {
  readonly surface: string
  readonly baseForm?: string
  readonly partOfSpeech: string
  readonly partOfSpeechSubcategory1?: string
  readonly partOfSpeechSubcategory2?: string
}

let analyser: Lindera.Tokenizer | null = null

function loadAnalyser(): Lindera.Tokenizer {
  const { TokenizerBuilder } = createRequire(import.meta.url)('lindera-wasm-nodejs-ipadic') as typeof Lindera
  const builder = new TokenizerBuilder()
  builder.setDictionary('embedded://ipadic')
  builder.setMode('normal')
  return builder.build()
}

/** The words of a text, in their order. Spaces are none. */
export function readWords(text: string): Word[] {
  analyser ??= loadAnalyser()
  let at = 0
  const tokens = analyser.tokenize(text) as readonly Token[]
  return tokens.map(({ surface, baseForm, partOfSpeech, ...token }) => {
    const { partOfSpeechSubcategory1 = '', partOfSpeechSubcategory2 = '' } = token
    // The analyser may replace what is no character.
    const start = Math.max(at, text.indexOf(surface, at))
    at = start + surface.length
    return {
      ...{ text: surface, base: baseForm ?? surface, kind: partOfSpeech, subkind: partOfSpeechSubcategory1 },
      ...{ name: partOfSpeechSubcategory2, known: partOfSpeech !== 'UNK', start, end: at },
    }
  })
}
