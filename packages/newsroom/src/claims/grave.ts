/**
 * Finds grave words of a claim that its evidence does not bear out: death, injury, crime, illness.
 * They do harm when they are false, above all of a person who is named: then the article must say
 * them of that person, in one sentence.
 */
import type { StorySummary } from '../documents.ts'
import { readTold, type Claim, type Evidence } from './evidence.ts'
import { GRAVE_MATTERS, NOT_GRAVE, type Matter } from './matters.lists.ts'
import { readPeople } from './names.ts'
import { foldFacts } from './text.ts'

/** 死者は出ていない, 感染していない, けがはなかった: it did not happen. */
const NOT_SO =
  /^(?:[ぁ-ん\p{Script=Han}]{0,4}?|(?:人?の|[^、。]{0,12}?(?:という|との))(?:情報|報告|心配|恐れ|おそれ|訴え))(?:は|も|が|を)?(?:今のところ|まだ)?(?:(?:出|し|入っ|おら|確認され|報告され)(?:て?い?な[いくか]|ていません|ず)|い?な(?:い|く|かっ|し)|[いり]ません)/u

const withoutHarmless = (folded: string): string => folded.replace(NOT_GRAVE, '、')

/** @param article all its sentences and its title, folded */
export function findUnsupportedGravity(claim: Claim, { near }: Evidence, article: readonly string[]): string[] {
  const text = withoutHarmless(claim.text)
  const around = withoutHarmless(near.text)
  return GRAVE_MATTERS.flatMap((matter) =>
    [...text.matchAll(matter.said)]
      .filter(({ 0: word, index }) => !NOT_SO.test(text.slice(index + word.length)))
      .filter(({ index }) => !bears(around, matter) || !isSaidOf(personOf(claim, index), matter, article))
      .map(([word]) => word),
  )
}

/** Whether a sentence of the article says the matter of the person; true without a person. */
const isSaidOf = (person: string | null, matter: Matter, article: readonly string[]): boolean =>
  person === null || article.some((sentence) => sentence.includes(person) && bears(withoutHarmless(sentence), matter))

/** Whether a text says the matter, and not that it did not happen. */
const bears = (text: string, { borne }: Matter): boolean =>
  [...text.matchAll(borne)].some(({ 0: word, index }) => !NOT_SO.test(text.slice(index + word.length)))

/**
 * The person of whom a claim says what stands at `at`: the one whom は, が, も or を marks last before
 * it, or who stands directly before it. Null where that is nobody with a name.
 */
function personOf(claim: Claim, at: number): string | null {
  const { text, words } = claim
  const people = readPeople(claim).filter(({ end }) => end <= at)
  const marks = words.filter(({ kind, text: word, end }) => kind === '助詞' && /^[はがもを]$/u.test(word) && end <= at)
  const mark = marks.at(-1)
  const last = people.at(-1)
  if (last === undefined) return null
  const isDirect = /^(?:さん|氏|容疑者|被告|選手|[\p{Script=Han}]{0,6})$/u.test(text.slice(last.end, at))
  if (isDirect) return last.text
  if (mark === undefined || mark.start < last.end) return null
  const between = text.slice(last.end, mark.start)
  return /[はがもを、]/u.test(between) ? null : last.text
}

/**
 * Further words of what somebody is accused of, or suffers. They are many: what waits for a person
 * in vain costs little.
 */
const ACCUSED =
  /容疑者|被告|提訴|告訴|告発|訴えられ|送検|摘発|不正|違反|違法|脱税|裏金|処分|懲戒|辞任|辞職|解任|罷免|更迭|失脚|破産|ハラスメント|パワハラ|セクハラ|差別|いじめ|不倫|横領|盗撮|八百長|ドーピング|陽性|事故を起こ|病(?!院)|症|がん(?![ばこじ])|癌|肺炎|梗塞|卒中|倒れ|危篤|入院|搬送|手術/u

/**
 * The grave words of sentences that name somebody, each once. They do much harm if they are false:
 * however well they stand, a person should see them.
 */
export function findRisks({ title, sentences }: StorySummary): string[] {
  const words = [title, ...sentences.map(({ text }) => text)].flatMap((text) => {
    const told = readTold(foldFacts(text))
    if (readPeople(told).length === 0) return []
    const grave = GRAVE_MATTERS.flatMap(({ said }) => told.text.match(said) ?? [])
    return [...grave, ...(told.text.match(ACCUSED) ?? [])]
  })
  return [...new Set(words)]
}
