/**
 * Whether a katakana word may be a transcribed foreign name: ワシントン is Washington. It compares
 * consonants, because vowels differ too much.
 */

const ROWS: readonly (readonly [kana: string, consonant: string])[] = [
  ['カキクケコ', 'k'],
  ['ガギグゲゴ', 'g'],
  ['サシスセソザジズゼゾ', 's'],
  ['タチツテト', 't'],
  ['ダヂヅデド', 'd'],
  ['ナニヌネノン', 'n'],
  ['ハヒフヘホ', 'h'],
  ['バビブベボ', 'b'],
  ['パピプペポ', 'p'],
  ['マミムメモ', 'm'],
  ['ラリルレロ', 'r'],
]
const CONSONANTS = new Map(ROWS.flatMap(([kana, consonant]) => [...kana].map((one) => [one, consonant] as const)))

const soundKatakana = (word: string): string => squeeze([...word].map((kana) => CONSONANTS.get(kana) ?? '').join(''))

/** Approximates how Japanese transcribes Latin spelling. */
const soundLatin = (word: string): string =>
  squeeze(
    word
      .replace(/tch|ch/g, 't')
      .replace(/sh|th|sch/g, 's')
      .replace(/ph/g, 'h')
      .replace(/c(?=[eiy])|z|j|g(?=[eiy])/g, 's')
      .replace(/ck|c|q/g, 'k')
      .replace(/x/g, 'ks')
      .replace(/f/g, 'h')
      .replace(/v/g, 'b')
      .replace(/l/g, 'r')
      .replace(/ng(?![aeiour])/g, 'n')
      .replace(/r(?![aeiouy])/g, '')
      .replace(/(?<=[aeiou])h(?![aeiou])|(?<=[a-z])gh/g, '')
      .replace(/[^a-z]|[aeiouyw]/g, ''),
  )

/** Merges doubled sounds; m before b or p is ン. */
const squeeze = (sound: string): string => sound.replace(/m(?=[bp])/g, 'n').replace(/(.)\1+/g, '$1')

/** Fewer sounds do not identify a name. */
const SOUND_MIN = 2
/** One sound in this many may differ, but never the first. */
const LENIENCE = 4

/** No name is longer in either script. */
const KATAKANA_MAX = 20
const LATIN_MAX = 30

/**
 * The sounds of a text's words, by first sound and length, because only words that agree in both
 * are compared.
 */
export type Sounds = ReadonlyMap<string, ReadonlySet<string>>

const keyOf = (first: string, length: number): string => `${first}${length}`

/** @param words in lower-case Latin letters */
export function readSounds(words: Iterable<string>): Sounds {
  const sounds = new Map<string, Set<string>>()
  for (const word of words) {
    if (word.length < 3 || word.length > LATIN_MAX) continue
    const sound = soundLatin(word)
    const key = keyOf(sound[0] ?? '', sound.length)
    const alike = sounds.get(key) ?? new Set()
    sounds.set(key, alike.add(sound))
  }
  return sounds
}

/** Whether a katakana word may be a transcription of one of the words. */
export function soundsLike(katakana: string, sounds: Sounds): boolean {
  if (katakana.length > KATAKANA_MAX) return false
  const sound = soundKatakana(katakana)
  if (sound.length < SOUND_MIN) return false
  const lenience = Math.floor(sound.length / LENIENCE)
  for (let length = sound.length - lenience; length <= sound.length + lenience; length += 1) {
    const alike = sounds.get(keyOf(sound[0]!, length))
    if (alike === undefined) continue
    if (alike.has(sound)) return true
    if (lenience > 0) for (const other of alike) if (isNear(sound, other, lenience)) return true
  }
  return false
}

/** Whether the edit distance of two strings is at most `lenience`. */
function isNear(a: string, b: string, lenience: number): boolean {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]! <= lenience
}
