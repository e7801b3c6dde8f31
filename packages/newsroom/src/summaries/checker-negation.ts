/**
 * Detects a sentence that says the opposite of its quote.
 *
 * It only detects the simplest case: one of the two negates a verb or noun (参加しない, 影響はない, 関与を否定),
 * the other has the same word, affirms it and contains no negation at all. Not detected: opposites
 * in other words (増えた for 減った, 賛成 for 反対), who did it to whom, negations of a whole clause, irony,
 * and everything outside the quote.
 */

/** Words that look like negations, but are none. */
const NOT_NEGATIONS =
  /かもしれ(?:ない|ません)|なければ(?:なら|いけ)(?:ない|ません)|なくては(?:なら|いけ)(?:ない|ません)|ざるを得ない|(?:に|に)違いない|にほかならない|だけで(?:は)?なく|のみならず|にもかかわらず|にかかわらず|必ず|少なくない|少なからず|わけではない|ではないか|のではない|までもない|やむを得ない|まず|わずか|はず|いずれ|相次|引き続き|ないしは|限らず|問わず|思わず|絶えず|まもなく|間もなく/g
/** Any sign of negation: a text with one does not count as affirming. */
const NEGATION =
  /ない|なかっ|なく|なし|無し|ません|ず|ぬ|否定|否認|見送|中止|撤回|断念|拒|不|未|非|無|反対|取りやめ|やめ|止|禁|退け|却下/

const NEGATED = /(?<stem>\p{Script=Han}{1,2})(?<tail>[ぁ-ん]{0,7}?(?:ない|なかっ|なく|ません|ず(?!つ)|ぬ))/gu
/** The end of an affirmation: 残す方針だ。 affirms, 残すよう求めた does not. */
const AFFIRMED =
  '(?:[ぁ-ん]{0,6}?[たるうすくつむぶぐぬ]|が(?:出た|生じた|ある|あった)|を認めた|が判明した|が確認された)' +
  '(?:(?:方針|予定|考え|見通し|見込み|計画)(?:だ|を示した)?|と(?:発表|説明|表明)した|と述べた|としている|という)?(?:。|$)'
const DENIED = /(?<stem>\p{Script=Han}{2})(?:を|は)(?:否定|否認)/gu

/**
 * The word that one of them negates and the other affirms; null if there is none. Both folded by
 * `foldFacts` (checker-text.ts).
 */
export function findReversal(sentence: string, quote: string): string | null {
  const [said, meant] = [sentence, quote].map((text) => text.replace(NOT_NEGATIONS, '、')) as [string, string]
  return findReversed(meant, said) ?? findReversed(said, meant)
}

/** A word that the first text negates and the second, which contains no negation, affirms. */
function findReversed(negating: string, affirming: string): string | null {
  if (NEGATION.test(affirming)) return null
  for (const match of [...negating.matchAll(NEGATED), ...negating.matchAll(DENIED)]) {
    const stem = match.groups!['stem']!
    if (isSingle(stem, negating) && isSingle(stem, affirming) && isAffirmed(stem, affirming)) return stem
  }
  return null
}

const isSingle = (stem: string, text: string): boolean => text.split(stem).length === 2
const isAffirmed = (stem: string, text: string): boolean => new RegExp(`${stem}${AFFIRMED}`).test(text)
