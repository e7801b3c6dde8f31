/** What a text says that was done, is not done, is to come, or is only thought possible. */
import type { Word } from './words.ts'

export interface Predicate {
  /** A verb in its dictionary form, or the noun of 回収する. */
  readonly key: string
  readonly start: number
  readonly isNegated: boolean
  readonly isPast: boolean
  /**
   * `possible`: 減るおそれ, 減ったとみられる. `planned`: まとめる方針, 再開の時期は未定. `wished`: 残すよう求める.
   * `asked`: 見つかるかどうか.
   */
  readonly mood: 'possible' | 'planned' | 'wished' | 'asked' | null
  /** The noun of 仕事が見つかる, by which a common verb is told from the same verb elsewhere. */
  readonly noun: string | null
  /** The text after it. */
  readonly rest: string
  /** The part of the sentence in which it stands. */
  readonly clause: string
  /** Of the kind 回収する, which means one thing. */
  readonly isNoun: boolean
}

/** Verbs that say little by themselves; they do not begin a predicate. */
const LIGHT = new Set('する なる ある いる よる つく できる おく みる くる いく やる とる いう ない'.split(' '))
/** Verbs and nouns of telling: what follows them is the news, and they themselves are no news. */
export const TELLING = new Set(
  (
    '述べる 話す 語る 言う 伝える 訴える 明かす 示す 答える 触れる 認める 求める 呼びかける 促す 決める 挙げる 加える とどまる とどめる ' +
    '発表 公表 説明 指摘 強調 主張 表明 報告 発言 回答 コメント 批判 予測 予想 合意 決定 判断 発信 報道 言及 明言'
  ).split(' '),
)

const POSSIBLE =
  /^(?:[ぁ-ん]{0,8}?|する)(?:[のとが]?可能性|おそれ|恐れ|の?疑い|懸念|とみ(?:られ|て|る)|かもしれ|かも知れ|との?見方|と考えられ|らし[いくか]|ようだ|ような|もよう|模様|とされ|も(?:排除|否定)(?:しな|せず|でき)|と疑[いわっ]|の?容疑|は[^、。]{0,20}(?:可能性|見方|おそれ|恐れ))/u
const PLANNED =
  /^(?:[ぁ-ん]{0,8}?|する)(?:[のとが]?(?:方針|予定|計画|見通し|見込み|方向|考え|意向|目標|構想|案(?![の内件])|めど|目途)|と?(?:見込|予測|予想|見通)|ことを?(?:目指|検討)|の(?:時期|日程)?(?:は|も)?[^、。]{0,6}(?:未定|決まっていな|決まっておら|立っていな|見通せな)|を?(?:検討|予定|計画|目指)|は[^、。]{0,20}(?:見込み|見通し|予定|方針)|ことで[^、。]{0,4}合意|」?と(?:訴え|主張|公約|約束))/u
/** 公開すると発表した, not 公開したと発表した. */
const ANNOUNCED = /^(?:する|れる|られる|せる)?と[^、。]{0,6}(?:発表|通告|予告|表明|明らかにし)/u
/** 奪ったとして、強盗の疑いで逮捕した: what somebody is accused of. */
const ACCUSED = /^[ぁ-ん]{0,8}?とし(?:て|た)[^。\n]*(?:逮捕|容疑|疑い|起訴|送検|告訴|告発|捜索)/u
const WISHED =
  /^[ぁ-ん]{0,6}?(?:よう(?:に)?[^、。]{0,6}(?:求|要|呼|訴|促|望|願|勧|働)|こと(?:を|が)?(?:求|望|訴|必要)|べき|てほし|てもら)/u
const ASKED = /^[ぁ-ん]{0,6}?か(?:どうか)?(?:[をはも、。「]|調べ|$)/u
/** Any sign of a doubt or plan in a text; 計画に反対 is none. */
const HEDGE =
  /可能性|おそれ|恐れ|疑い|疑わ|容疑|考えられ|みられ|みて|みる|かもしれ|見方|らし[いく]|ようだ|もよう|模様|とされ|とみ|見通|見込|検討|予測|予想|めざ|目指|調べ|未定|か[。、]|か$|という|だろう|うる|得る|含み|と[^。]{0,12}(?:訴え|主張)|へ$|(?:懸念|方針|予定|計画|方向|考え|意向|目標|構想|案)(?!に|は|や|へ|を(?![示表明持抱立])|[\p{Script=Han}])/u

/** Whether a text leaves open whether something is so, or is to come. */
export const isHedged = (text: string): boolean => HEDGE.test(text)

/** Negations of a clause before them: 防げるという意味ではない, 腰折れとまではいえない. */
const CLAUSE_NEGATED =
  /^[ぁ-ん]{0,6}?(?:という|といった|とまで|との|と|わけ|もの|の)[^、。]{0,10}?(?:で?は(?:ない|な[くかい]|ありません)|(?:いえ|言え|限ら|なら)(?:ない|ず|ません)|否定|否認)/u
/** They look like negations, and are none. */
const NO_NEGATION =
  /^[ぁ-ん]{0,4}?(?:なければなら|なければいけ|なくてはなら|ざるを得|に違いな|にほかなら|ずに[はす]|だけでな|のみなら|にもかかわ)/u
const DENIED = /^(?:[ぁ-ん]{0,3})(?:を|は)(?:否定|否認)/u
/** 報告はない, 参加もせず: the noun, its particle, and a negation. */
const ABSENT =
  /^(?:さ?れ?)?(?:は|も|が)?(?:一切|全く|まだ|これまで)?(?:な(?:い|く|かっ|し)|ありませ|おら|出ていな|出な|見られな|せず|しな)/u

/**
 * The predicates of a text.
 * @param sought nouns that count as predicates here: 腰折れとはいえない says something of 腰折れした
 */
export function readPredicates(text: string, words: readonly Word[], sought = new Set<string>()): Predicate[] {
  return words.flatMap((word, index) => {
    const key = keyOf(word, words[index + 1]) ?? (sought.has(word.text) ? word.text : null)
    if (key === null) return []
    const tail = tailOf(words, index + 1)
    const after = text.slice(word.end, clauseEnd(text, word.end))
    const isNegated =
      !NO_NEGATION.test(after) &&
      (tail.some(isNegation) || ABSENT.test(after) || CLAUSE_NEGATED.test(after) || DENIED.test(after))
    const mood = moodOf(after, text.slice(word.end))
    const isNoun = word.kind === '名詞'
    return [
      {
        key,
        start: word.start,
        isNegated,
        mood,
        isPast: tail.some(isPast),
        noun: nounBefore(words, index),
        isNoun,
        clause: clauseAt(text, word),
        rest: text.slice(word.end),
      },
    ]
  })
}

function moodOf(after: string, rest: string): Predicate['mood'] {
  if (WISHED.test(after)) return 'wished'
  if (ASKED.test(after)) return 'asked'
  if (POSSIBLE.test(after) || ACCUSED.test(rest)) return 'possible'
  return PLANNED.test(after) || ANNOUNCED.test(after) ? 'planned' : null
}

/** The noun before a verb and its particle. */
function nounBefore(words: readonly Word[], index: number): string | null {
  const particle = words[index - 1]
  const noun = words[index - 2]
  return particle?.kind === '助詞' && (noun?.kind === '名詞' || noun?.known === false) ? noun.text : null
}

/** The name of what the predicate that begins here says; null where none begins. */
function keyOf(word: Word, next: Word | undefined): string | null {
  if (word.kind === '動詞' && word.subkind === '自立') return LIGHT.has(word.base) ? null : word.base
  if (word.kind !== '名詞' || word.text.length < 2) return null
  return word.subkind === 'サ変接続' || next?.base === 'する' ? word.text : null
}

const isNegation = ({ kind, base }: Word): boolean =>
  (kind === '助動詞' && (base === 'ない' || base === 'ぬ' || base === 'ん')) || (kind === '形容詞' && base === 'ない')
const isPast = ({ kind, base }: Word): boolean => kind === '助動詞' && base === 'た'

/** The words that bend a predicate: auxiliaries, and light verbs with て between them. */
function tailOf(words: readonly Word[], from: number): Word[] {
  let end = from
  while (end < words.length && bends(words[end]!)) end += 1
  return words.slice(from, end)
}

const bends = ({ kind, subkind, base, text }: Word): boolean =>
  kind === '助動詞' ||
  (kind === '動詞' && (subkind !== '自立' || LIGHT.has(base))) ||
  (kind === '助詞' && (subkind === '接続助詞' || subkind === '係助詞') && /^(?:て|で|は|も)$/.test(text))

const clauseAt = (text: string, { start, end }: Word): string => {
  const from = Math.max(...['、', '。', '\n'].map((mark) => text.lastIndexOf(mark, start))) + 1
  return text.slice(from, clauseEnd(text, end))
}

function clauseEnd(text: string, from: number): number {
  const end = text.slice(from).search(/[、。\n]/)
  return end === -1 ? text.length : from + end
}
