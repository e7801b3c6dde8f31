import type { CssNode } from 'css-tree'
import parse from 'css-tree/parser'

/** Comments and spaces, where the parser leaves texts as they are. */
export const ASIDE = /(?:\/\*[\s\S]*?(?:\*\/|$)|\s)+/g

/** Of any text, as browsers read it: what they do not understand is left out. */
export function parseStyles(text: string, context: 'stylesheet' | 'declarationList'): Iterable<CssNode> {
  const asWritten = {
    parseValue: false,
    parseCustomProperty: false,
    parseRulePrelude: false,
    parseAtrulePrelude: false,
  }
  const parsed = parse(text, { ...asWritten, context, onParseError() {} })
  return parsed.type === 'StyleSheet' || parsed.type === 'DeclarationList' ? parsed.children : []
}
