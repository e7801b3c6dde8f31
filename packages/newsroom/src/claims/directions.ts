/** Finds claims that turn a direction round: more for less, above for below, for against. */
import type { Claim, Evidence } from './evidence.ts'
import { isSame, readNumbers, type FoundNumber } from './numbers.ts'

interface Pole {
  readonly japanese: RegExp
  readonly english: RegExp
}

const pole = (japanese: string, english = '(?!)'): Pole => ({
  japanese: new RegExp(japanese, 'u'),
  english: new RegExp(`(?<![a-z])(?:${english})`, 'u'),
})

/** 120円高, 18%高かった. */
const AFTER_UNIT = '(?<=[\\d万億](?:円|銭|%|割|ドル|ポイント|度|点|センチ|メートル)(?:ほど|程度|も|だけ)?)'

/** Poles that exclude each other. */
const AXES: readonly (readonly Pole[])[] = [
  [
    pole(
      `増(?![\\p{Script=Han}ァ-ヺ])|増[加収益大額員産]|上昇|上が[るっりら]|上向|伸び|拡大|(?<=[差幅][がはも]?(?:\\d[^、。]{0,8})?)広が[るっり]|プラス|高ま|引き上げ|値上|利上げ|(?<![りきち売打棚])上げ(?=[がはを幅、])|上方修正|急騰|高騰|続伸|反発|上振れ|強ま|黒字|${AFTER_UNIT}高(?!値)`,
      'r[io]se|rising|increas|up(?![a-z])|higher|gain|strengthen|grew|grow|climb|jump|surge|hike|rais|widen',
    ),
    pole(
      `(?<![加増])減(?![\\p{Script=Han}ァ-ヺ])|減[少収益額速員産]|低下|下落|下が[るっりら]|下向|縮小|縮[んみめま]|マイナス|引き下げ|値下|利下げ|(?<![りきち])下げ(?=[がはを幅、])|下方修正|急落|続落|反落|落ち込|下振れ|弱ま|赤字|${AFTER_UNIT}[安低](?![値下])`,
      'fell|fall|declin|down(?![a-z])|lower|cut|drop|weaken|decreas|slow|shr[iau]nk|slump|reduc|narrow',
    ),
    pole('据え置|維持|横ばい|変わら(?:ず|な[いかく])', 'unchanged|h[eo]ld|kept|keep|steady|maintain|flat(?![a-z])'),
  ],
  [
    pole('上回|超え|超す|を超|突破|しのぐ|しのい', 'above|exceed|more than|over(?![a-z])|beat|top(?:ped|s)(?![a-z])'),
    pole(
      '下回|(?:届か|に満た)(?:ず|な[いかく])|割り込|割った|次[いぐ](?!で(?:いる|い[たて]))',
      'below|less than|under(?![a-z])|miss',
    ),
  ],
  [pole('多[いかけ]|多く(?=[、。な]|$)'), pole('少な[いかけ]|少なく(?!とも)')],
  [pole('大き[いくかな]|大幅|甚大|多大'), pole('小さ|小幅|軽微|限定的|わずか')],
  [pole('賛成|支持'), pole('反対|不支持')],
  [pole('勝[っちつ利訴]'), pole('敗[れっ北訴退]|負け')],
  [pole('(?<!無)有罪'), pole('無罪')],
  [pole('可決'), pole('否決')],
  [pole('(?<!再)開始|始[めまっ]'), pole('終了|終[えわっ]')],
  [pole('(?<!否)認め(?!て?い?な|ず)|認定'), pole('否認|否定|認めて?い?な|認めず')],
  [pole('右[腕手足脚側翼派]'), pole('左[腕手足脚側翼派]')],
  [pole('最高(?![裁検経])|最多|最大'), pole('最低(?!限)|最少|最小')],
  [pole('明る[いくか]'), pole('暗[いくか]')],
  [pole('有料'), pole('無料')],
  [pole('すべて|全て|全額|全員'), pole('半分|半数|半額|一部')],
  [pole('早[いくかめ]|繰り上げ|前倒し'), pole('遅[いくかられ]|繰り下げ|先送り|延期')],
]

/** Between a number and its direction: 1.4%の増加, 0.8%程度のプラス, 3割ほど多い. */
const BETWEEN = String.raw`(?:程度|ほど|余り|近く|分)?(?:の|も|だけ|ずつ|と)?、?(?:わずかに|小幅に|大幅に|大きく)?`

/** The words of a claim that point the other way than its evidence. */
export function findTurned(claim: Claim, evidence: Evidence, isForeign: boolean): string[] {
  const turned = isForeign ? [] : findTurnedNumbers(claim, evidence)
  if (turned.length > 0) return turned
  const { quoted, near, known } = evidence
  // A title sums up several sentences.
  const borne = claim.kind === 'title' ? known : quoted.text
  return AXES.flatMap((axis) => {
    const patterns = axis.map((one) => (isForeign ? one.english : one.japanese))
    const said = axis.flatMap(({ japanese }, index) => (isSaid(japanese, claim.text) ? [index] : []))
    const [only] = said
    if (said.length !== 1 || only === undefined || patterns[only]!.test(borne)) return []
    const { index: at } = axis[only]!.japanese.exec(claim.text)!
    // What the quote's sentence does not name, a neighbour may tell.
    const noun = claim.words.findLast(({ kind, end }) => kind === '名詞' && end <= at)?.text
    const isElsewhere = !isForeign && noun !== undefined && !borne.includes(noun)
    if (isElsewhere && patterns[only]!.test(near.text)) return []
    const isOther = patterns.some((pattern, index) => index !== only && pattern.test(borne))
    return isOther ? [wordAt(claim, at)] : []
  })
}

const wordAt = ({ text, words }: Claim, at: number): string =>
  words.find(({ start, end }) => start <= at && at < end)?.text ?? text.slice(at, at + 2)

/** Whether a text has such a word, and does not negate it: 大きな影響はない. */
function isSaid(pattern: RegExp, text: string): boolean {
  const found = pattern.exec(text)
  if (found === null) return false
  const after = text.slice(found.index + found[0].length)
  return !/^[^、。]{0,6}(?:ない|なかっ|なく|ず(?![っつれ])|ません)/u.test(after)
}

/** Whether a claim has at `at` the direction that its evidence has of the same number: 1.2%減り. */
export function isMeasured({ text }: Claim, at: number, { near }: Evidence): boolean {
  const borne = readNumbers(near.text)
  const number = readNumbers(text).findLast(({ end }) => end <= at)
  return AXES.some((axis) => {
    const said = number === undefined ? null : poleAfter(text, number, axis, at)
    return said !== null && borne.some((other) => isSame(other, number!) && poleAfter(near.text, other, axis) === said)
  })
}

/** The numbers that grow in one text and shrink in the other. */
function findTurnedNumbers(claim: Claim, { near }: Evidence): string[] {
  const borne = readNumbers(near.text)
  return readNumbers(claim.text).flatMap((number) => {
    const same = borne.filter((other) => isSame(other, number))
    return AXES.flatMap((axis) => {
      const said = poleAfter(claim.text, number, axis)
      const poles = same.map((other) => poleAfter(near.text, other, axis))
      const isTurned = said !== null && poles.length > 0 && poles.every((one) => one !== null && one !== said)
      return isTurned ? [number.written] : []
    })
  })
}

/** Which pole of an axis follows a number at once, and reaches a place; null for none. */
function poleAfter(text: string, { end }: FoundNumber, axis: readonly Pole[], to = 0): number | null {
  const index = axis.findIndex(({ japanese }) => {
    const pattern = new RegExp(`${BETWEEN}(?:${japanese.source})`, 'uy')
    pattern.lastIndex = end
    return pattern.test(text) && pattern.lastIndex > to
  })
  return index === -1 ? null : index
}
