/** Reads style sheets and style attributes, as far as they tell what is seen. */

/** `display: none`, in lower case, without escapes and the prefixes of browsers. */
export interface Declaration {
  readonly property: string
  readonly value: string
  readonly isImportant: boolean
}

export interface StyleRule {
  /** One for each part of its list, as written. */
  readonly selectors: readonly string[]
  readonly declarations: readonly Declaration[]
  /** Whether it holds for everybody, whatever else is said: not so in layers, conditions and rules within rules. */
  readonly isSure: boolean
}

/** Longer style sheets are cut: what is hidden is told early or not at all. */
const SHEET_MAX = 300_000
const VALUE_MAX = 300
const SELECTOR_MAX = 300
const SELECTORS_MAX = 300
/** Blocks within blocks are skipped beyond this. */
const DEPTH_MAX = 10

/**
 * Comments, strings, addresses, escapes, and what stands between them. Whatever is not ended goes on to the end, so that nothing is read
 * twice.
 */
const TOKEN =
  /\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|url\(\s*(?!["'\s])[^)]*\)?|\\[\s\S]?|[{};]|[^\\"'/{};u]+|[/u]/gi

const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi

const unescape = (text: string): string =>
  text.replace(ESCAPE, (_, code: string | undefined, letter: string | undefined) => {
    if (code === undefined) return letter ?? ''
    const point = Number.parseInt(code, 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : ''
  })

const plain = (text: string): string => unescape(text).replace(/\s+/g, ' ').trim().toLowerCase()

function readDeclaration(text: string): Declaration[] {
  const colon = text.indexOf(':')
  if (colon < 0) return []
  const property = plain(text.slice(0, colon).slice(0, VALUE_MAX)).replace(/^-(?:webkit|moz|ms|o)-/, '')
  const written = plain(text.slice(colon + 1).slice(0, VALUE_MAX))
  const value = written.replace(/ ?! ?important$/, '')
  return [{ property, value, isImportant: value !== written }]
}

/** The declarations of a style attribute. */
export const readStyle = (text: string): readonly Declaration[] => readSheet(`*{${text}}`)[0]?.declarations ?? []

/** What is around a piece of a style sheet. */
interface Block {
  /** Null outside of rules. */
  readonly selectors: readonly string[] | null
  readonly declarations: Declaration[]
  readonly isSure: boolean
  /** Frames of animations, fonts, and what is for paper or small screens. */
  readonly isSkipped: boolean
}

const TOP: Block = { selectors: null, declarations: [], isSure: true, isSkipped: false }
/** Rules in these hold if something else is so: that is taken for so where they hide, and not where they show. */
const CONDITIONAL: ReadonlySet<string> = new Set(['layer', 'supports', 'container', 'scope', 'document'])

function openBlock(prelude: string, around: Block): Block {
  if (!prelude.startsWith('@')) return openRule(prelude, around)
  const [name = '', ...rest] = plain(prelude.slice(1, VALUE_MAX)).split(/(?=[ (])/)
  const inner = { ...around, declarations: [] }
  if (name === 'media') return { ...inner, isSkipped: around.isSkipped || !isForScreens(rest.join('')) }
  return CONDITIONAL.has(name) ? { ...inner, isSure: false } : { ...inner, isSkipped: true }
}

function openRule(prelude: string, around: Block): Block {
  const own = splitList(prelude)
  if (around.selectors === null) return { ...around, selectors: own, declarations: [] }
  const outer = `:is(${around.selectors.join()})`
  const selectors = own.map((selector) =>
    selector.includes('&') ? selector.replaceAll('&', outer) : `${outer} ${selector}`,
  )
  return { ...around, selectors, declarations: [], isSure: false }
}

/** The parts of `.a, .b:is(.c, .d)`. */
function splitList(selectors: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= selectors.length && parts.length < SELECTORS_MAX; at += 1) {
    const letter = selectors[at]
    if (letter === '(' || letter === '[') depth += 1
    else if (letter === ')' || letter === ']') depth -= 1
    else if (letter === undefined || (letter === ',' && depth <= 0)) {
      parts.push(selectors.slice(start, at).trim())
      start = at + 1
    }
  }
  return parts.filter((part) => part !== '' && part.length <= SELECTOR_MAX)
}

/** A page is judged as it is on such a screen. */
const SCREEN: Readonly<Record<string, number>> = { width: 1_280, height: 800 }
const LENGTH_FEATURE = /^\( ?(?:(min|max)-)?(width|height) ?(:|[<>]=?) ?(\d+(?:\.\d+)?)(px|em|rem)? ?\)$/

/** Whether what is said for some media holds on an ordinary screen. What asks for anything but its size is for some only. */
export const isForScreens = (query: string): boolean =>
  plain(query.slice(0, VALUE_MAX))
    .split(',')
    .some((part) => {
      const [first = '', ...others] = part.trim().split(' and ')
      const type = first.replace(/^only /, '')
      return ['', 'all', 'screen'].includes(type) || isOfScreen(type) ? others.every(isOfScreen) : first === 'not print'
    })

function isOfScreen(feature: string): boolean {
  const [, bound, dimension = '', sign, written, unit = 'px'] = LENGTH_FEATURE.exec(feature.trim()) ?? []
  const length = Number(written) * (unit === 'px' ? 1 : 16)
  const size = SCREEN[dimension] ?? Number.NaN
  return bound === 'min' || sign?.startsWith('>') === true
    ? size >= length
    : bound === 'max' || sign?.startsWith('<') === true
      ? size <= length
      : false
}

/** The rules of a style sheet that hold on an ordinary screen, in their order. */
export function readSheet(sheet: string): readonly StyleRule[] {
  const rules: StyleRule[] = []
  const open: Block[] = []
  let block = TOP
  let piece = ''
  let tooDeep = 0
  function endDeclaration(): void {
    if (block.selectors !== null && !block.isSkipped) block.declarations.push(...readDeclaration(piece))
    piece = ''
  }
  function endBlock(): void {
    endDeclaration()
    const { selectors, declarations, isSure } = block
    if (selectors !== null && declarations.length > 0) rules.push({ selectors, declarations, isSure })
    block = open.pop() ?? TOP
  }
  for (const [token] of sheet.slice(0, SHEET_MAX).matchAll(TOKEN)) {
    if (token === '{' && (tooDeep > 0 || open.length >= DEPTH_MAX)) tooDeep += 1
    else if (token === '}' && tooDeep > 0) {
      tooDeep -= 1
      piece = ''
    } else if (token === '{') {
      open.push(block)
      block = openBlock(piece.replaceAll(/<!--|-->/g, '').trim(), block)
      piece = ''
    } else if (token === '}') endBlock()
    else if (token === ';') endDeclaration()
    else if (!token.startsWith('/*')) piece += token
  }
  while (open.length > 0) endBlock()
  return rules
}
