import { describe, expect, it } from 'vitest'
import { readOpml, writeOpml } from './opml.ts'

const EXPORTED = `<?xml version="1.0" encoding="UTF-8"?>
<opml version="1.0"><head><title>購読リスト</title></head><body>
  <outline text="新聞" title="新聞">
    <outline text="地方">
      <outline type="rss" text="東都新聞 &amp;amp; デジタル" title="東都新聞 &amp;amp; デジタル" xmlUrl="https://touto.example/rss?a=1&amp;b=2" htmlUrl="https://touto.example/"/>
    </outline>
    <outline type="rss" text="&lt;b&gt;日々&lt;/b&gt;&#10;ニュース&#x202e;" xmlUrl=" https://hibi.example/feed " language=" en-us "/>
  </outline>
  <outline type="rss" xmlUrl="https://noname.example/atom.xml"/>
  <outline type="rss" text="もう一度" xmlUrl="https://touto.example/rss?a=1&amp;b=2#x"/>
  <outline type="rss" text="手元のファイル" xmlUrl="file:///etc/passwd"/>
  <outline type="rss" text="相対" xmlUrl="/feed"/>
  <outline text="空のフォルダー"/>
</body></opml>`

describe('a list of feeds', () => {
  it('of another feed reader is read through all folders, each feed once', () => {
    expect(readOpml(EXPORTED)).toEqual([
      { url: 'https://touto.example/rss?a=1&b=2', name: '東都新聞 & デジタル', language: null },
      { url: 'https://hibi.example/feed', name: '日々ニュース', language: 'en-us' },
      { url: 'https://noname.example/atom.xml', name: 'noname.example', language: null },
      // The caller decides about addresses that cannot be read.
      { url: 'file:///etc/passwd', name: '手元のファイル', language: null },
      { url: '/feed', name: '相対', language: null },
    ])
  })

  it('is read back as it was written', () => {
    const feeds = [
      { url: 'https://touto.example/rss?a=1&b=2', name: '東都新聞「朝」 & "夕"', language: 'ja' },
      { url: 'https://hibi.example/feed', name: '日々', language: null },
    ]
    const opml = writeOpml(feeds, new Date('2026-11-21T00:00:00Z'))
    expect(opml).toContain('Sat, 21 Nov 2026 00:00:00 GMT')
    expect(readOpml(opml)).toEqual(feeds)
    expect(readOpml(writeOpml([], new Date(0)))).toEqual([])
  })

  it('has two thousand feeds at most, with names that fit', () => {
    const outlines = Array.from(
      { length: 2_500 },
      (_, at) => `<outline text="${'長'.repeat(60)}" xmlUrl="https://a.example/${at}"/>`,
    )
    const feeds = readOpml(`<opml version="2.0"><body>${outlines.join('')}</body></opml>`)
    expect(feeds).toHaveLength(2_000)
    expect(feeds[0]!.name).toBe(`${'長'.repeat(39)}…`)
  })

  it.each([
    ['nothing', ''],
    ['a page', '<html><body>購読リスト</body></html>'],
    ['a list that breaks off', EXPORTED.slice(0, 400)],
    ['NUL', EXPORTED.replace('新聞', '\0')],
    ['entities', `<!DOCTYPE opml [<!ENTITY a "x">]>${EXPORTED}`],
    ['folders without end', `<opml version="2.0"><body>${'<outline text="a">'.repeat(20_000)}`],
  ])('is refused when it is invalid: %s', (_, text) => {
    expect(() => readOpml(text)).toThrow(expect.objectContaining({ problem: 'not_a_feed' }))
  })
})
