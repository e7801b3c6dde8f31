import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NewsRefusal } from '../news-refusal.ts'
import { feedOf } from '../testing/outside/newspaper.ts'
import { readFeed, type FeedItem } from './feeds.ts'

const NOW = Date.parse('2026-11-22T00:00:00Z')
const FEED_URL = 'https://news.example/feeds/all.xml'
const read = (text: string, url = FEED_URL) => readFeed(text, url, NOW)
const item = (url: string, title: string, at?: string): FeedItem => ({
  ...{ url, title, publishedAt: at === undefined ? null : new Date(at) },
})
/** The result of reading a feed: its articles, or the problem. */
function outcome(text: string): string {
  try {
    return `${read(text).length} items`
  } catch (refusal) {
    return refusal instanceof NewsRefusal ? refusal.problem : String(refusal)
  }
}

const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel>
  <title>東都新聞 &amp; デジタル</title>
  <link>https://news.example/</link>
  <atom:link href="https://news.example/feeds/all.xml" rel="self" type="application/rss+xml"/>
  <description>最新のニュース</description>
  <language>ja</language>
  <item>
    <title><![CDATA[都立学校の給食費、<b>来年度から無償</b>に &amp; 「14万人」対象]]></title>
    <link>https://news.example/articles/1?utm_source=rss</link>
    <guid isPermaLink="false">tag:1</guid>
    <pubDate>Sat, 21 Nov 2026 13:03:00 +0900</pubDate>
  </item>
  <item>
    <title>  北陸新幹線、
      大雪で一部運休 </title>
    <link>/articles/2</link>
    <dc:date>2026-11-21T20:15:00+09:00</dc:date>
  </item>
  <item>
    <title>番号だけの記事</title>
    <guid>https://news.example/articles/3</guid>
    <pubDate>いつか</pubDate>
  </item>
  <item><title>どこにもない記事</title><guid isPermaLink="false">https://news.example/articles/4</guid></item>
  <item><title>スクリプト</title><link>javascript:alert(1)</link></item>
  <item><title>もう一度同じ記事</title><link>https://news.example/articles/1?utm_source=top#x</link></item>
  <item><description>&lt;p&gt;題のない&lt;i&gt;短い&lt;/i&gt;便り&lt;/p&gt;</description><link>https://news.example/articles/5</link><pubDate>Wed, 25 Nov 2026 00:00:00 GMT</pubDate></item>
</channel></rss>`

describe('the articles of a feed', () => {
  it('are read from RSS 2.0, newest first', () => {
    expect(read(RSS)).toEqual([
      item('https://news.example/articles/2', '北陸新幹線、大雪で一部運休', '2026-11-21T11:15:00Z'),
      item(
        'https://news.example/articles/1?utm_source=rss',
        '都立学校の給食費、来年度から無償に & 「14万人」対象',
        '2026-11-21T04:03:00Z',
      ),
      item('https://news.example/articles/3', '番号だけの記事'),
      item('https://news.example/articles/5', '題のない短い便り'),
    ])
  })

  it('are read from RSS 0.91 with its declaration of a type', () => {
    const feed = read(`<?xml version="1.0"?>
<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">
<rss version="0.91"><channel><title>昔のニュース</title><link>https://old.example/</link><description>x</description><language>ja</language>
<item><title>町に新しい橋</title><link>https://old.example/1.html</link><description>長さ120メートル。</description></item></channel></rss>`)
    expect(feed).toEqual([item('https://old.example/1.html', '町に新しい橋')])
  })

  it("are read from Atom, with addresses relative to the feed's own base", () => {
    const feed = read(`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="ja" xml:base="https://blog.example/2026/">
  <title type="text">忍びの日記</title><id>urn:uuid:1</id><updated>2026-11-21T18:30:02+09:00</updated>
  <link rel="self" href="/atom.xml"/><link href="/"/>
  <entry>
    <title type="html">秋の京都で&amp;lt;紅葉&amp;gt;を&lt;em&gt;撮って&lt;/em&gt;きた</title>
    <link rel="enclosure" type="image/jpeg" href="photo.jpg"/>
    <link rel="alternate" type="application/json" href="kyoto.json"/>
    <link rel="alternate" type="text/html" href="kyoto.html"/>
    <id>urn:uuid:2</id><published>2026-11-20T09:00:00+09:00</published><updated>2026-11-21T18:30:02+09:00</updated>
  </entry>
  <entry xml:base="https://photo.example/"><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">写真<b>展</b>のお知らせ</div></title>
    <link href="show"/><id>urn:uuid:3</id><updated>2026-11-21T18:30:02+09:00</updated></entry>
  <entry><title>名前が住所の記事</title><id>https://blog.example/2026/address.html</id><updated>2026-11-01T00:00:00Z</updated></entry>
</feed>`)
    expect(feed).toEqual([
      item('https://photo.example/show', '写真展のお知らせ', '2026-11-21T09:30:02Z'),
      item('https://blog.example/2026/kyoto.html', '秋の京都で<紅葉>を撮ってきた', '2026-11-20T00:00:00Z'),
      item('https://blog.example/2026/address.html', '名前が住所の記事', '2026-11-01T00:00:00Z'),
    ])
  })

  it('are read from RDF (RSS 1.0), which Japanese sites still use', () => {
    const feed = read(`<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns="http://purl.org/rss/1.0/" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/" xml:lang="ja">
<channel rdf:about="https://it.example/rss"><title>ITの忍者</title><link>https://it.example/</link><description>x</description>
<items><rdf:Seq><rdf:li rdf:resource="https://it.example/1"/><rdf:li rdf:resource="https://it.example/2"/></rdf:Seq></items></channel>
<item rdf:about="https://it.example/1"><title>新しいOSが公開</title><link>https://it.example/1</link><dc:date>2026-11-21T10:00+09:00</dc:date></item>
<item rdf:about="https://it.example/2"><title>半導体の株が上昇</title><dc:date>2026-11-21T12:00:00+09:00</dc:date></item>
</rdf:RDF>`)
    expect(feed).toEqual([
      item('https://it.example/2', '半導体の株が上昇', '2026-11-21T03:00:00Z'),
      item('https://it.example/1', '新しいOSが公開', '2026-11-21T01:00:00Z'),
    ])
  })

  it('are read from JSON Feed', () => {
    const feed = read(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: '小さな新聞',
        items: [
          { id: '1', url: '/a', title: '商店街に朝市', date_published: '2026-11-21T06:00:00+09:00' },
          {
            id: 'https://small.example/b',
            content_text: '題のない短い便りです',
            date_modified: '2026-11-20T06:00:00Z',
          },
          { id: '3', external_url: 'https://other.example/c', title: 'よその記事' },
          { id: '4', title: '行き先のない記事' },
        ],
      }),
      'https://small.example/feed.json',
    )
    expect(feed).toEqual([
      item('https://small.example/a', '商店街に朝市', '2026-11-20T21:00:00Z'),
      item('https://small.example/b', '題のない短い便りです', '2026-11-20T06:00:00Z'),
      item('https://other.example/c', 'よその記事'),
    ])
  })

  it('are the hundred newest, wherever in the feed they stand', () => {
    const days = Array.from({ length: 250 }, (_, day) => ({
      ...{ url: `/${day}`, title: `記事${day}`, at: new Date(NOW - (300 - day) * 3_600_000) },
    }))
    const items = read(feedOf('rss', days))
    expect(items).toHaveLength(100)
    expect(items[0]!.title).toBe('記事249')
    expect(items[99]!.title).toBe('記事150')
  })

  it('have titles of one line, without invisible characters', () => {
    const item = `<item><title>図書館&#x202e;、&#8203;午後9時&#xFF5E;&#0;&#xD800;まで\u0085開館 ${'長'.repeat(400)}</title><link>/1</link></item>`
    const { title } = read(`<rss version="2.0"><channel><title>x</title>${item}</channel></rss>`)[0]!
    expect(title).toMatch(/^図書館、午後9時～まで開館 長+…$/)
    expect(title.length).toBe(300)
  })

  it('are an empty list for a feed without articles', () => {
    expect(read(feedOf('rss', []))).toEqual([])
  })
})

describe('text that is no feed', () => {
  const LAUGHS = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "ははは"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>
<rss version="2.0"><channel><title>&c;</title><item><title>&c;</title><link>https://news.example/1</link></item></channel></rss>`
  it.each([
    ['nothing', ''],
    ['a page', '<!doctype html><html><head><title>rss</title></head><body><rss version="2.0"></body></html>'],
    ['a text', 'このフィードは廃止されました。'],
    ['other data', '{"error":"not found"}'],
    ['a list', '["https://news.example/1"]'],
    ['a feed with NUL in it', RSS.replace('給食', '給\0食')],
    ['a feed that breaks off', RSS.slice(0, 900)],
    ['entities that grow without bounds', LAUGHS],
    ['a million nested lists', `{"version":"https://jsonfeed.org/version/1.1","items":${'['.repeat(1_000_000)}`],
    ['five megabytes of letters', 'x'.repeat(5_000_000)],
    ['five megabytes of spaces', ' '.repeat(5_000_000)],
    [
      'half a million attributes',
      `<rss version="2.0" ${Array.from({ length: 400_000 }, (_, at) => `a${at}="1"`).join(' ')}><channel/></rss>`,
    ],
    ['a hundred thousand comments', '<!--a-->'.repeat(100_000)],
  ])('is refused: %s', (_, text) => {
    expect(outcome(text)).toBe('not_a_feed')
  })

  it.each([
    ['a million nested elements', `<rss version="2.0"><channel>${'<a>'.repeat(1_000_000)}`],
    ['five megabytes of brackets', `<rss version="2.0">${'<'.repeat(4_900_000)}`],
    [
      'a hundred thousand articles',
      `<rss version="2.0"><channel>${'<item><title>x</title><link>/1</link></item>'.repeat(100_000)}</channel></rss>`,
    ],
    ['more than five megabytes of spaces', ' '.repeat(5_000_001)],
  ])('is refused as too large, whatever its kind: %s', (_, text) => {
    expect(outcome(text)).toBe('too_large')
  })

  it('is refused, or read as a feed, however it is damaged', () => {
    fc.assert(
      fc.property(fc.nat(RSS.length), fc.nat(RSS.length), fc.string({ maxLength: 20 }), (from, to, junk) => {
        const damaged = RSS.slice(0, Math.min(from, to)) + junk + RSS.slice(Math.max(from, to))
        expect(outcome(damaged)).toMatch(/^(?:\d+ items|not_a_feed)$/)
      }),
    )
  })

  it('does not change the prototypes of other objects', () => {
    read(
      '{"version":"https://jsonfeed.org/version/1.1","title":"x","__proto__":{"broken":1},"items":[{"id":"https://a.example/","title":"x","__proto__":{"broken":1}}]}',
    )
    outcome('<rss version="2.0"><channel><__proto__><broken>1</broken></__proto__><title>x</title></channel></rss>')
    expect(Reflect.get({}, 'broken')).toBeUndefined()
  })
})
