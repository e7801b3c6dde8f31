/**
 * Finds sentences that do much harm if they are false: somebody with a name, and a death, an
 * injury, an illness, a crime or an accusation. However well they stand, a person should see them.
 */
import type { StorySummary } from '../documents.ts'
import { readTold } from './evidence.ts'
import { GRAVE_MATTERS } from './matters.lists.ts'
import { readNames } from './names.ts'
import { foldFacts } from './text.ts'

const ACCUSED =
  /容疑者|被告|提訴|告訴|告発|訴えられ|不正|違反|違法|処分|懲戒|辞任|解任|更迭|ハラスメント|パワハラ|セクハラ|差別|いじめ|不倫|横領|病気|がん(?![ばこじ])|入院|手術|認知症/u
const CALLED = /[ァ-ヺー]{2,}(?:さん|氏|容疑者|被告|選手|監督|会長|社長|大統領|首相|議員)/u

/** The grave words of sentences that name somebody, each once. */
export function findRisks({ title, sentences }: StorySummary): string[] {
  const words = [title, ...sentences.map(({ text }) => text)].flatMap((text) => {
    const told = readTold(foldFacts(text))
    const isNamed = readNames(told.words).some(({ kind }) => kind === '人名') || CALLED.test(told.text)
    if (!isNamed) return []
    const grave = GRAVE_MATTERS.flatMap(({ said }) => told.text.match(said) ?? [])
    return [...grave, ...(told.text.match(ACCUSED) ?? [])]
  })
  return [...new Set(words)]
}
