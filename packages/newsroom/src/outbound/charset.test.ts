import { describe, expect, it } from 'vitest'
import { encodeAs, type Charset } from '../testing/outside/publishers.ts'
import { decodeText } from './charset.ts'

const TEXT = '東京の忍者屋敷で「隠し扉」が見つかった。髙橋さんは①番目の発見者だという。'
const CHARSETS: readonly Charset[] = ['utf-8', 'shift_jis', 'euc-jp', 'iso-2022-jp']
const page = (head: string): string =>
  `<!doctype html><html><head>${head}<title>${TEXT}</title></head><body>${TEXT}</body></html>`

describe.each(CHARSETS)('a document in %s is read', (charset) => {
  const text = page('')
    .replaceAll('①', charset === 'iso-2022-jp' ? '一' : '①')
    .replaceAll('髙', charset === 'iso-2022-jp' ? '高' : '髙')
  const withHead = (head: string): string => text.replace('<head>', `<head>${head}`)
  const type = `text/html; charset="${charset}"`
  const far = '<!-- far -->'.repeat(300)

  it.each([
    ['HTTP', type, text],
    ['its meta element, even far into it', 'text/html', withHead(`${far}<meta charset="${charset}">`)],
    ['its old meta element', null, withHead(`<meta http-equiv="Content-Type" content='${type}'>`)],
    ['its XML declaration', 'application/xml', `<?xml version="1.0" encoding="${charset}"?><rss>忍びの報せ</rss>`],
    ['its bytes, without any declaration', 'text/html', text],
    ['its bytes, although HTTP declares another one', 'text/html; charset=iso-8859-1', text],
    ['its bytes, although HTTP declares none', 'text/html; charset=none', text],
    ['its bytes, although HTTP declares an unknown one', 'text/html; charset=x-unknown', text],
  ])('by %s', (_, contentType, written) => {
    expect(decodeText(encodeAs(charset, written), contentType)).toBe(written)
  })
})

it.each([
  ['shift_jis', 'text/html; charset=utf-8', '<meta charset="utf-8">'],
  ['euc-jp', 'text/html; charset=utf-8', '<meta charset="utf-8">'],
  ['shift_jis', 'text/html; charset=utf-8', '<meta charset="shift_jis">'],
  ['utf-8', 'text/html; charset=euc-jp', ''],
  ['utf-8', 'text/html; charset=shift_jis', ''],
] as const)('a document in %s with a wrong declaration is read: %s, %s', (charset, contentType, head) => {
  expect(decodeText(encodeAs(charset, page(head)), contentType)).toBe(page(head))
})

it.each(['utf-8', 'shift_jis', 'us-ascii', 'iso-2022-jp'])(
  'a document in ISO-2022-JP is read, whatever HTTP and the document declare: %s',
  (declared) => {
    const text = `<meta charset="${declared}"><p>忍びの者はどこへ消えたのか。</p>`
    expect(decodeText(encodeAs('iso-2022-jp', text), `text/html; charset=${declared}`)).toBe(text)
  },
)

it.each(CHARSETS)('a long document with Japanese only far into it is read by its bytes: %s', (charset) => {
  const sentence = '忍びの者はどこへ消えたのか。\n'
  const encoded = encodeAs(charset, sentence)
  for (const script of ['x'.repeat(300_000), 'x'.repeat(300_001)]) {
    const bytes = Buffer.concat([Buffer.from(script), ...Array.from({ length: 10_000 }, () => encoded)])
    for (const said of ['text/html', `text/html; charset=${charset}`]) {
      expect(decodeText(bytes, said) === script + sentence.repeat(10_000)).toBe(true)
    }
  }
})

it('UTF-16 that HTTP declares is read as such, wherever its Japanese begins', () => {
  for (const text of ['忍者', 'a忍者', '<p>忍者が現れた。', '<p> 忍者が現れた。', 'plain']) {
    expect(decodeText(Buffer.from(text, 'utf16le'), 'text/html; charset=utf-16le')).toBe(text)
  }
})

it('a byte order mark overrides declarations, and is not part of the text', () => {
  expect(decodeText(Buffer.from(`\u{feff}${TEXT}`), 'text/html; charset=shift_jis')).toBe(TEXT)
  expect(decodeText(Buffer.from(`\u{feff}${TEXT}`, 'utf16le'), 'text/html; charset=utf-8')).toBe(TEXT)
})

it('a broken character leaves the rest of the page readable', () => {
  const bytes = Buffer.concat([Buffer.from(page('')), Buffer.from([0xff, 0xe3]), Buffer.from('おわり')])
  for (const type of ['text/html; charset=utf-8', 'text/html;charset=UTF-8']) {
    expect(decodeText(bytes, type)).toContain(`${TEXT}</body></html>\u{fffd}\u{fffd}おわり`)
  }
})

it('western pages without a declaration are read as browsers read them', () => {
  const text = '<p>Café au lait, déjà vu — “naïve” façade in Zürich, for 5 €</p>'
  const special: Record<string, number> = { '—': 0x97, '“': 0x93, '”': 0x94, '€': 0x80 }
  const bytes = Buffer.from([...text].map((char) => special[char] ?? char.codePointAt(0)!))
  expect(decodeText(bytes, 'text/html')).toBe(text)
  expect(decodeText(bytes, 'text/html; charset=iso-8859-1')).toBe(text)
})

it('western pages that could be read as Shift_JIS are not', () => {
  const text = '<p>Die Gräfin kommt später.</p>'
  const bytes = Buffer.from(text, 'latin1')
  expect(new TextDecoder('shift_jis', { fatal: true }).decode(bytes)).toContain('Gr')
  expect(decodeText(bytes, 'text/html')).toBe(text)
})

it('an empty document and plain ASCII are text as well', () => {
  expect(decodeText(Buffer.alloc(0), null)).toBe('')
  expect(decodeText(Buffer.from('plain'), null)).toBe('plain')
})
