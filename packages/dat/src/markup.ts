/** The HTML in fields of logs as plain text. All functions take time linear in the text. */

/** U+00A0 to U+00FF, in order. */
const LATIN =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil
Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute
Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`
    .split(/\s+/)
    .map((name, index): [string, string] => [name, String.fromCodePoint(0xa0 + index)])

/** Other entities of HTML 4 that people type on boards. */
const OTHERS =
  `amp & lt < gt > quot " apos ' hearts ♥ spades ♠ clubs ♣ diams ♦ larr ← uarr ↑ rarr → darr ↓ harr ↔ lArr ⇐ rArr ⇒
hArr ⇔ trade ™ hellip … euro € bull • dagger † Dagger ‡ permil ‰ ndash – mdash — lsquo ‘ rsquo ’ ldquo “ rdquo ” infin ∞
ne ≠ le ≤ ge ≥ sum ∑ prod ∏ radic √ part ∂ int ∫ nabla ∇ there4 ∴ forall ∀ exist ∃ empty ∅ isin ∈ ni ∋ cap ∩ cup ∪ sub ⊂ sup ⊃
and ∧ or ∨ minus − asymp ≈ equiv ≡ perp ⊥ ang ∠ loz ◊ alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι
kappa κ lambda λ mu μ nu ν xi ξ omicron ο pi π rho ρ sigma σ sigmaf ς tau τ upsilon υ phi φ chi χ psi ψ omega ω Alpha Α Beta Β
Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ
Upsilon Υ Phi Φ Chi Χ Psi Ψ Omega Ω`
    .split(/\s+/)
    .reduce<[string, string][]>((pairs, word, index, words) => {
      if (index % 2 === 0) pairs.push([word, words[index + 1]!])
      return pairs
    }, [])

const NAMED: ReadonlyMap<string, string> = new Map([
  ...LATIN,
  ...OTHERS,
  ...([
    ['ensp', '\u2002'],
    ['emsp', '\u2003'],
    ['thinsp', '\u2009'],
    ['zwnj', '\u200c'],
    ['zwj', '\u200d'],
  ] as const),
])

const windows1252 = new TextDecoder('windows-1252')

/** Browsers take a number for a control character as one of Windows-1252. */
function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return windows1252.decode(Uint8Array.of(code))
  // Halves of a pair were written one by one; the whole text is made well-formed later.
  return code > 0xff_ff ? (code > 0x10_ffff ? '\ufffd' : String.fromCodePoint(code)) : String.fromCharCode(code)
}

/** Decodes entities and numeric references, once. Unknown ones stay as they are. */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#(\d{1,8});?|#[xX]([\da-fA-F]{1,7});?|([A-Za-z][A-Za-z\d]{1,7});)/g, (all, ...groups) => {
    const [decimal, hexadecimal, name] = groups as [string?, string?, string?]
    if (name !== undefined) return NAMED.get(name) ?? all
    return characterOf(decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal))
  })
}

/** Control characters that no text may hold; tab and line feed are none of them. */
// oxlint-disable-next-line no-control-regex -- the control characters are what is looked for
const CONTROLS = /[\x01-\x08\x0e-\x1f\x7f-\x9f]/g
/** Explicit direction controls: they make a name or title read as another one. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A text as a database and a page can hold it; its lines are separated by \n. */
export const cleanText = (text: string): string =>
  text
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(/[\0\v\f]/g, ' ')
    .toWellFormed()
    .replaceAll(CONTROLS, '')

/** A field of one line, likewise. */
export const cleanLine = (text: string): string => collapse(cleanText(text).replaceAll(DIRECTIONS, ''))

const TAG = / ?<br(?![a-z])[^<>]*> ?|<[a-z/!][^<>]*>/gi
/** Tags that people see as text, links or layout; the others are told to the caller. */
const KNOWN_TAG = /^(?:<\/?(?:a|b|hr)(?![a-z\d])|<br| <br)/i

/**
 * The text of a body. The lines of a body are joined by ` <br> `: one space beside each is no part
 * of the text, and so is one at either end.
 * @param onUnknownTag is called for each tag that is dropped though it is no link
 */
export function toText(html: string, onUnknownTag: () => void): string {
  const from = html.startsWith(' ') ? 1 : 0
  const to = html.length > from && html.endsWith(' ') ? html.length - 1 : html.length
  const body = html.slice(from, to).replaceAll(/[\0\r\v\f]/g, ' ')
  const plain = body.includes('<')
    ? body.replaceAll(TAG, (tag) => {
        if (!KNOWN_TAG.test(tag)) onUnknownTag()
        return /^ ?<[bh]r(?![a-z\d])/i.test(tag) ? '\n' : ''
      })
    : body
  return cleanText(decodeEntities(plain))
}

/** The text of a field of one line: a name, a mail address, a title. */
export function toLine(html: string): string {
  return cleanLine(decodeEntities(html.includes('<') ? html.replaceAll(TAG, '') : html))
}

/** Line breaks and tabs, which a field of one line cannot hold. */
const BREAKS = /[\0\t\n\v\f\r\u0085\u2028\u2029]+/g

/** Without line breaks, and without spaces at the ends. Spaces within are part of many a name. */
export const collapse = (text: string): string => text.replaceAll(BREAKS, ' ').trim()
