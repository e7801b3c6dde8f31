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

  it('by the declaration of HTTP', () => {
    expect(decodeText(encodeAs(charset, text), `text/html; charset="${charset}"`)).toBe(text)
  })

  it('by its meta element, even far into the document', () => {
    const declared = text.replace('<head>', `<head><script>${'x'.repeat(3_000)}</script><meta charset="${charset}">`)
    expect(decodeText(encodeAs(charset, declared), 'text/html')).toBe(declared)
  })

  it('by its old meta element', () => {
    const meta = `<meta http-equiv="Content-Type" content="text/html; charset=${charset}">`
    const declared = text.replace('<head>', `<head>${meta}`)
    expect(decodeText(encodeAs(charset, declared), null)).toBe(declared)
  })

  it('by its XML declaration', () => {
    const feed = `<?xml version="1.0" encoding="${charset}"?><rss><channel><title>忍びの報せ</title></channel></rss>`
    expect(decodeText(encodeAs(charset, feed), 'application/xml')).toBe(feed)
  })

  it('by its bytes, without any declaration', () => {
    expect(decodeText(encodeAs(charset, text), 'text/html')).toBe(text)
  })

  it.each(['iso-8859-1', 'none', 'x-unknown'])('although HTTP declares %s', (said) => {
    expect(decodeText(encodeAs(charset, text), `text/html; charset=${said}`)).toBe(text)
  })
})

describe('a document with a wrong declaration', () => {
  it.each(['shift_jis', 'euc-jp'] as const)(
    'is read by its bytes when it declares UTF-8 and is written in %s',
    (charset) => {
      const text = page('<meta charset="utf-8">')
      expect(decodeText(encodeAs(charset, text), 'text/html; charset=utf-8')).toBe(text)
    },
  )

  it('is read by the meta element where HTTP is wrong', () => {
    const text = page('<meta charset="shift_jis">')
    expect(decodeText(encodeAs('shift_jis', text), 'text/html; charset=utf-8')).toBe(text)
  })

  it('is read as UTF-8 when it declares EUC-JP or Shift_JIS', () => {
    const text = page('')
    for (const said of ['euc-jp', 'shift_jis']) {
      expect(decodeText(Buffer.from(text), `text/html; charset=${said}`)).toBe(text)
    }
  })
})

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
