/**
 * Checks who says what stands in 「」: a summary must not attribute one person's words to another.
 *
 * It only reads quotations with a verb of speaking (…は「…」と話した, 「…」と…は述べた) and titles such as 市長「…」.
 * A speaker who is only called a man or an expert is not compared.
 */
import type { Passages, Place } from './passages.ts'
import { dropQuotations } from './text.ts'
import { isCompound } from './names.ts'
import { ROLES, SPELLINGS, TITLES } from './names.lists.ts'

const byLength = (words: readonly string[]): string => words.toSorted((a, b) => b.length - a.length).join('|')

/** A name with what precedes it; bounded, because an article may be a single run of letters. */
const RUN = String.raw`[\p{Script=Han}々ァ-ヺーa-z0-9.&'-]{1,40}`
/** Somebody, perhaps with an age: 三上直樹さん(41). */
const WHO = `(?<who>${RUN})(?:さん|氏)?(?:[(][^()]{0,20}[)])?`
/** A quotation with its verb of speaking: 「…」と話した. */
const SPOKEN = new RegExp(
  `[「『](?<words>(?:[^「」『』]|「[^「」]*」|『[^『』]*』)*)[」』](?:など)?と(?<after>[^「」『』]*)`,
  'gu',
)
/** After と any verb tells what was said (話した, しのんだ), except those that name something. */
const SPEAKING =
  /^、?(?!呼|名付|名づけ|題[しす]|銘打|称|書[かいき]|読[まみ]|みな|見な|考え|あ[るっ])[^、。]{0,12}?[ぁ-ん]/u
/** The topic, before or after the quotation; 会見では and 12日は are no speakers. */
const TOPIC = new RegExp(`${WHO}(?:は|によると)`, 'gu')
const SUBJECT = new RegExp(`${WHO}(?:が|も)`, 'gu')
const BEHIND = new RegExp(`^、?${WHO}(?:は|が|も)`, 'u')
/** The subject directly before the quotation: 減税は財務相が会見で「…」. */
const NEXT = new RegExp(`${WHO}[がも](?:${RUN}[をにで])*$`, 'gu')
/** A title that is a quotation: 川島市長「…」. */
const HEADLINE = new RegExp(`(?<who>${RUN})[、:]?「(?<words>[^「」]+)」$`, 'u')

/** Times and other words before は that are no speakers. */
const NO_SPEAKER =
  /(?:\d|[日月年時分度回円%前後中際当]|(?<![護理])人|今後|現在|当時|今回|結果|理由|背景|内容|会見|取材|質問|記事|声|対応|影響|計画|問題|点|件)$/u
/** Descriptions for which the article may have a name, and vice versa. */
const NAMELESS =
  /^(?:(?:同|両|各)[\p{Script=Han}]{1,4}|担当者?|関係者|専門家|本人|男性|女性|男|女|彼女?|代表者?|研究者|住民|参加者|利用者|有識者|識者|幹部|広報|側|店主|選手|監督|全員|双方|一同)$/u
/** Descriptions that stand for an office. */
const OFFICES: readonly (readonly [RegExp, RegExp])[] = [
  [/警察$/u, /警察|[府県道]警|警視庁|署(?!名)/u],
  [/検察$/u, /地検|高検|検察/u],
  [/裁判所$/u, /地裁|高裁|最高裁|裁判長|判決/u],
  [/政府$/u, /官房長官|首相|大臣|政府|閣僚|報道官/u],
  [/首相$|総理$/u, /首相|総理/u],
]
const TITLE_END = new RegExp(
  `(?:${byLength([...TITLES, '課長', '部長', '店長', '園長', '博士', '名誉教授', '主将', '船長', '会長'])})$`,
  'u',
)
const ROLES_AROUND = new RegExp(`^(?:${byLength(ROLES)})+|(?:${byLength(ROLES)})+$`, 'gu')
/** A title of anybody; the office of 市長 has one holder, unless another name stands before it. */
const ADDRESS = /^(?:氏|さん|ちゃん|くん|容疑者|被告|選手)?$/u
const BEFORE_OFFICE = [...ROLES.filter((role) => role.length === 1), ...'県国州社校大院会'].join('')

/** References to somebody named before. */
const AGAIN = /同(?:社|団体|会|氏|容疑者|被告)/
/** Somebody who can speak; 減税は「検討していない」と述べた leaves open who did. */
const NAMES_SPEAKER =
  /(?:[者員長氏相官家手師士主市県府都町村社庁省署局党会院所側]|警察|政府|監督|教授|選手|大統領|総理|総裁|代表|大学|[知検判理]事|弁護人|さん)(?:[(][^()]{0,20}[)])?(?:は|が|も|によると)/u
/** The article may name the speaker at most this many sentences before the words. */
const BACK_MAX = 3

/**
 * The speakers in a summary's sentence or title to whom the article does not attribute the words.
 * Folded by `foldFacts` (text.ts).
 */
export function findMisattributed(folded: string, kind: 'title' | 'sentence', passages: Passages): string[] {
  return readSpoken(folded, kind)
    .filter(({ who, words }) => {
      const found = passages.find(words)
      return found.length > 0 && !found.some((place) => speaks(who, passageAt(place, words, passages), passages))
    })
    .map(({ who }) => who)
}

function readSpoken(folded: string, kind: 'title' | 'sentence'): { who: string; words: string }[] {
  if (kind === 'title') {
    const { who = '', words = '' } = HEADLINE.exec(folded)?.groups ?? {}
    return TITLE_END.test(who) || OFFICES.some(([office]) => office.test(who)) ? [{ who, words }] : []
  }
  return [...folded.matchAll(SPOKEN)].flatMap((match) => {
    const { words = '', after = '' } = match.groups!
    const behind = BEHIND.exec(after)?.groups?.['who']
    if (behind === undefined && !SPEAKING.test(after)) return []
    const who = behind ?? speakerBefore(dropQuotations(folded.slice(0, match.index)))
    return who === null || who === undefined || NAMELESS.test(who) ? [] : [{ who, words }]
  })
}

/** The subject next to a quotation, else the last topic before it, else the last subject. */
function speakerBefore(text: string): string | null {
  for (const pattern of [NEXT, TOPIC, SUBJECT]) {
    const named = [...text.matchAll(pattern)]
      .map(({ groups }) => groups!['who']!)
      .filter((who) => !NO_SPEAKER.test(who) && (pattern !== NEXT || NAMES_SPEAKER.test(`${who}が`)))
    if (named.length > 0) return named.at(-1)!
  }
  return null
}

/**
 * The article's text about the speaker, without the words: the sentence itself where it names one,
 * else with those before it, up to one that does.
 */
function passageAt({ from, to }: Place, words: string, { sentences }: Passages): string {
  const whole = sentences.slice(from, to + 1).join('')
  const end = whole.indexOf(words) + words.length
  // Of two speakers in one sentence the second begins behind the clause: 首相は「…」と述べ、代表は「…」と批判した.
  const clause = whole.slice(0, end) + /^[^、]*/u.exec(whole.slice(end))![0]
  const isNamed = NAMES_SPEAKER.test(dropQuotations(whole.slice(0, end - words.length - 1)))
  let passage = dropQuotations(isNamed ? clause : whole)
  for (let at = from - 1; at >= Math.max(0, from - BACK_MAX); at -= 1) {
    if (NAMES_SPEAKER.test(passage)) break
    passage = `${dropQuotations(sentences[at]!)}${passage}`
  }
  return passage
}

/** Whether a passage names somebody, under any of the names that the article uses. */
function speaks(who: string, passage: string, { sentences }: Passages): boolean {
  if (passage.includes(who) || AGAIN.test(passage) || passage.includes(`同${who.at(-1)}`)) return true
  if (SPELLINGS.get(who)?.some((spelling) => passage.includes(spelling)) ?? false) return true
  if (OFFICES.some(([office, names]) => office.test(who) && names.test(passage))) return true
  const title = TITLE_END.exec(who)?.[0] ?? ''
  const name = who.slice(0, who.length - title.length).replace(ROLES_AROUND, '')
  const isTitled =
    !ADDRESS.test(title) && new RegExp(`(?:^|[^\\p{Script=Han}ァ-ヺー]|[${BEFORE_OFFICE}])${title}`, 'u').test(passage)
  if (name.length < 2) return isTitled
  if (isIn(name, passage)) return true
  // A repeated mention is shorter: 三上直樹さん becomes 三上さん, and 川島市長 becomes 市長.
  return (
    (isTitled || passage.includes(name.slice(0, 2))) &&
    sentences.some((one) => one.includes(name) && one.includes(title))
  )
}

/** Whether a name stands in a text, or both parts of a compound: 気象庁担当者 matches 気象庁の担当者. */
const isIn = (name: string, text: string): boolean =>
  text.includes(name) || isCompound(name, 2, (part) => text.includes(part))
