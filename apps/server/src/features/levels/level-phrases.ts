/** Phrases that move a level: six easy words, stored as a keyed hash only. */
import { createHmac, randomInt } from 'node:crypto'
import { wordlist } from '@scure/bip39/wordlists/japanese.js'
import { LEVEL_PHRASE_WORDS } from '@shinobi/contract/limits'
import { INVISIBLE, unifyKana, unifyWidthAndCase } from '@shinobi/text/fold'

/** The words of BIP 39: 2,048 easy ones, of which none begins another. */
export const PHRASE_WORDS: readonly string[] = wordlist.map((word) => word.normalize('NFC'))

export const newPhrase = (): string =>
  Array.from({ length: LEVEL_PHRASE_WORDS }, () => PHRASE_WORDS[randomInt(PHRASE_WORDS.length)]!).join(' ')

/** As people type it: width, kana, spaces and punctuation make no difference. */
const foldPhrase = (typed: string): string =>
  unifyKana(unifyWidthAndCase(typed.replace(INVISIBLE, ''))).replace(/[^\p{L}ー]/gu, '')

export function createPhraseHasher(secret: string): (typed: string) => string {
  const key = createHmac('sha256', secret).update('phrases of levels').digest()
  return (typed) => createHmac('sha256', key).update(foldPhrase(typed)).digest('base64url')
}
