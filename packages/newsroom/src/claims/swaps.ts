/** Finds numbers that changed places: A's number told of B, and B's of A. */
import type { Evidence, Told } from './evidence.ts'
import { isSame, readNumbers, type FoundNumber } from './numbers.ts'

/** A number with the words before it that say what it counts. */
interface Labelled {
  readonly number: FoundNumber
  readonly label: ReadonlySet<string>
}

/** The pairs of numbers that a claim exchanges, as it writes them. */
export function findSwapped(claim: Told, { near }: Evidence): string[] {
  const said = readLabelled(claim)
  const borne = readLabelled(near)
  const labelOf = (number: FoundNumber): ReadonlySet<string> =>
    borne
      .filter((other) => isSame(other.number, number))
      .reduce<ReadonlySet<string>>((all, { label }) => all.union(label), new Set())
  return said.flatMap((a, index) =>
    said.slice(index + 1).flatMap((b) => {
      if (a.number.unit !== b.number.unit || isSame(a.number, b.number)) return []
      // 4基のうち1基 are numbers of one thing.
      if (/うち/u.test(claim.text.slice(a.number.end, b.number.start))) return []
      // 220円から210円に for 210円から220円に.
      const isFrom = (number: FoundNumber): boolean =>
        borne.some((other) => isSame(other.number, number) && near.text.startsWith('から', other.number.end))
      const isTurned = claim.text.startsWith('から', a.number.end) && isFrom(b.number) && !isFrom(a.number)
      const [ofA, ofB] = [labelOf(a.number), labelOf(b.number)]
      const onlyA = ofA.difference(ofB)
      const onlyB = ofB.difference(ofA)
      const straight = shared(a.label, onlyA) + shared(b.label, onlyB)
      const crossed = shared(a.label, onlyB) + shared(b.label, onlyA)
      return isTurned || (crossed > 0 && straight === 0) ? [`${a.number.written}と${b.number.written}`] : []
    }),
  )
}

const shared = (one: ReadonlySet<string>, other: ReadonlySet<string>): number => one.intersection(other).size

/**
 * The numbers of a text, each with the words since the one before it, or since its sentence; also
 * with the topic of the sentence, where it has none of its own: 料金は大人が500円、子どもが250円. What is said
 * of a number follows it: 3人が死亡、2人が行方不明.
 */
function readLabelled({ text, words }: Told): Labelled[] {
  let from = 0
  let topic: string[] = []
  return readNumbers(text).map((number) => {
    const sentence = Math.max(text.lastIndexOf('。', number.start), text.lastIndexOf('\n', number.start)) + 1
    if (sentence >= from) topic = []
    const before = words.filter((word) => word.start >= Math.max(from, sentence) && word.end <= number.start)
    from = number.end
    if (/^[がはも]/u.test(text.slice(from))) {
      const pause = text.slice(from).search(/[、。\n]|$/u)
      const said = words.filter((word) => word.start >= number.end && word.end <= number.end + pause)
      from += pause
      return { number, label: new Set([...topic, ...basesOf(before), ...basesOf(said)]) }
    }
    const mark = before.findLastIndex(({ text: word, kind }) => word === 'は' && kind === '助詞')
    if (mark >= 0) topic = basesOf(before.slice(0, mark))
    return { number, label: new Set([...topic, ...basesOf(before)]) }
  })
}

const basesOf = (words: Told['words']): string[] => words.filter(isTelling).map(({ base }) => base)

const isTelling = ({ kind, subkind, base }: Told['words'][number]): boolean =>
  (kind === '名詞' && subkind !== '非自立' && subkind !== '数') ||
  (kind === '動詞' && subkind === '自立' && base !== 'する') ||
  kind === 'UNK' ||
  base === 'ない'
