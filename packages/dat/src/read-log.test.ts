import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { encodeCp932 } from './cp932.ts'
import { detectEncoding } from './encoding.ts'
import { formatLine, formatRemoved, type DatPost } from './line.ts'
import { readLog, type LogOddity, type LogPost } from './read-log.ts'

const DATE = '2004/12/31(金) 23:59:58.76'
const AT = new Date('2004-12-31T14:59:58.760Z')

const read = (text: string) => readLog(encodeCp932(text))
/** The only post of a log of one line. */
const postOf = (line: string): LogPost => read(`${line}\n`).posts[0]!
const oddOf = (text: string): Partial<Record<LogOddity, number>> =>
  Object.fromEntries([...read(text).odd].map(([kind, { count }]) => [kind, count]))
const bodyOf = (html: string): string => postOf(`a<>b<>${DATE}<> ${html} <>t`).body

describe('a line of 2ch', () => {
  it('has name, mail, time, ID, text and the title of the thread', () => {
    const log = read(`名無しさん<>sage<>${DATE} ID:abcd1234<> 本文 <br> 二行目 <>題名\n`)
    expect(log).toMatchObject({ title: '題名', encoding: 'cp932', format: '2ch' })
    expect(log.posts).toEqual([
      {
        ...{ number: 1, name: '名無しさん', trip: null, staff: false, mail: 'sage', at: AT },
        ...{ posterId: 'abcd1234', body: '本文\n二行目', removed: false },
      },
    ])
    expect(log.odd.size).toBe(0)
  })

  it.each([
    ['名無し</b> ◆abcdEFGH12 <b>', { name: '名無し', trip: 'abcdEFGH12', staff: false }],
    ['</b>◆./AB+xyz12<b>', { name: '', trip: './AB+xyz12', staff: false }],
    ['運営 ★', { name: '運営', trip: null, staff: true }],
    ['名無しさん＠お腹いっぱい。</b> (ﾜｯﾁｮｲ 1234-abcd)<b>', { name: '名無しさん＠お腹いっぱい。 (ﾜｯﾁｮｲ 1234-abcd)' }],
    ['</b>p1234.example.ne.jp<b>', { name: 'p1234.example.ne.jp', trip: null }],
    ['偽 ◆typed', { name: '偽 ◆typed', trip: null }],
    ['<font color=green>a</font>&amp;b', { name: 'a&b' }],
  ])('shows the writer of %s', (name, expected) => {
    expect(postOf(`${name}<><>${DATE}<>a<>`)).toMatchObject(expected)
  })

  it.each([
    ['2004/12/31(金) 23:59:58.76', '2004-12-31T14:59:58.760Z'],
    ['2004/12/31(金) 23:59:58', '2004-12-31T14:59:58.000Z'],
    ['2004/12/31(金) 23:59', '2004-12-31T14:59:00.000Z'],
    ['04/12/31 23:59', '2004-12-31T14:59:00.000Z'],
    ['99/12/31 23:59', '1999-12-31T14:59:00.000Z'],
    ['2004/12/31(Fri) 23:59:58 ID:a', '2004-12-31T14:59:58.000Z'],
    ['2004/01/01(木) 25:00:00', '2004-01-01T16:00:00.000Z'],
  ])('reads the time %s', (date, time) => {
    expect(postOf(`a<><>${date}<>b<>`).at).toEqual(new Date(time))
  })

  it.each(['', '停止', 'Over 1000 Thread', '2004/13/01 00:00', '2004/01/32 00:00', '0001/01/01 00:00'])(
    'has no time in %s',
    (date) => {
      expect(postOf(`a<><>${date}<>b<>`)).toMatchObject({ at: null, body: 'b', removed: false })
      expect(oddOf(`a<><>${date}<>b<>t`)).toEqual({ no_date: 1 })
    },
  )

  it.each([
    ['ID:abcd1234', 'abcd1234', {}],
    ['ID:AbCd123/0', 'AbCd123/0', {}],
    ['ID:???', null, { hidden_id: 1 }],
    ['ID:???0 BE:12345-2BP(0)', null, { hidden_id: 1, be: 1 }],
    ['<a href="http://2ch.se/">株主優待</a> ID:ab+/1234', 'ab+/1234', { stock: 1 }],
    ['HOST:p1.example.ne.jp', null, { host: 1 }],
    ['発信元:192.0.2.1', null, { host: 1 }],
    ['ID:abcd [ p1.example.ne.jp ]', 'abcd', { host: 1 }],
    [`ID:${'x'.repeat(41)}`, null, { long_id: 1 }],
    ['', null, {}],
  ])('has in %s the ID %s', (rest, id, odd) => {
    const line = `a<><>${DATE} ${rest}<>b<>t`
    expect(postOf(line)).toMatchObject({ posterId: id, at: AT })
    expect(oddOf(line)).toEqual(odd)
  })

  it.each([
    ['a<br>b<BR />c', 'a\nb\nc'],
    ['<a href="../test/read.cgi/x/1/5" target="_blank">&gt;&gt;5</a> うむ', '>>5 うむ'],
    ['&lt;b&gt; &amp;amp; &quot;&#39;&hearts;&#9829;&#x1F602;&nbsp;|', '<b> &amp; "\'♥♥😂\u00a0|'],
    ['&#55357;&#56834;', '😂'],
    ['&#55357;', '\ufffd'],
    ['&#153;&unknown;&', '™&unknown;&'],
    ['a<hr>b', 'a\nb'],
    ['(>_<) 1 < 2', '(>_<) 1 < 2'],
    ['a\0b', 'a b'],
    ['&#0;&#8;x', ' x'],
    ['sssp://img.2ch.net/ico/a.gif <br> 本文', '本文'],
    ['　　∧＿∧ <br> 　 （　´∀｀）  ＜ｵﾏｴﾓﾅｰ <br>  <br>  |⌒ ｜', '　　∧＿∧\n　 （　´∀｀）  ＜ｵﾏｴﾓﾅｰ\n\n |⌒ ｜'],
    ['<font color="red">赤</font>', '赤'],
  ])('has the text of %j', (html, text) => {
    expect(bodyOf(html)).toBe(text)
  })

  it('is a removed post where clients know it as one', () => {
    const lines = [
      'あぼーん<>あぼーん<>あぼーん<>あぼーん<>題名',
      `あぼーん<>あぼーん<><>あぼーん<>`,
      `名無し<>sage<>あぼーん<> 何か <>`,
      `あぼーん<>sage<>${DATE}<> あぼーん <>`,
      formatRemoved('', 60).toString('latin1'),
    ]
    const { posts, title } = readLog(Buffer.concat(lines.map((line) => iconvLine(line))))
    expect(posts.map(({ removed }) => removed)).toEqual([true, true, true, false, true])
    expect(title).toBe('題名')
    expect(posts[2]).toMatchObject({ name: '', body: '', mail: '' })
  })

  it('leaves the account of the opener out of the title', () => {
    expect(read(`a<><>${DATE}<>b<>【話】題名 [無断転載禁止]&copy;2ch.net\t[123456789]`).title).toBe(
      '【話】題名 [無断転載禁止]©2ch.net',
    )
  })
})

const iconvLine = (line: string): Buffer =>
  // oxlint-disable-next-line no-control-regex -- bytes as characters
  /^[\x00-\xff]*$/.test(line) ? Buffer.from(line, 'latin1') : encodeCp932(`${line}\n`)

describe('a broken log', () => {
  it('keeps the number of every line', () => {
    const text = `a<><>${DATE}<>b<>題\r\n壊れた行\r\n\r\na<>b<>c\n<><><><>\na\0<><>${DATE}<>終<>x<>y`
    expect(read(text).posts.map(({ body, removed }) => [body, removed])).toEqual([
      ['b', false],
      ['壊れた行', false],
      ['', true],
      ['a<>b<>c', false],
      ['', true],
      ['終', false],
    ])
    expect(oddOf(text)).toEqual({
      ...{ broken_line: 2, no_date: 2, empty_line: 1, removed_post: 1, nul: 1, more_fields: 1 },
    })
  })

  it('has as many posts as lines, whatever its bytes are, and throws nothing', () => {
    const pieces = fc.constantFrom(
      ...[
        '<>',
        '\n',
        '\r',
        '\0',
        '<br>',
        '&#',
        ';',
        '&amp;',
        'ID:',
        '</b> ◆',
        'あぼーん',
        ',',
        '＠｀',
        DATE,
        '<a',
        '>',
        '12<>',
      ],
    )
    const anything = fc.array(fc.oneof(fc.uint8Array({ maxLength: 12 }), pieces), { maxLength: 60 })
    fc.assert(
      fc.property(anything, (parts) => {
        const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? encodeCp932(part) : part)))
        const { posts, format } = readLog(bytes)
        const feeds = bytes.filter((byte) => byte === 0x0a).length
        const lines = feeds + (bytes.length === 0 || bytes.at(-1) === 0x0a ? 0 : 1)
        // A BOM alone is no line.
        if (format !== 'jbbs' && !bytes.equals(Buffer.from('\ufeff'))) expect(posts).toHaveLength(lines)
        expect(posts.every(({ number }, index) => number === index + 1)).toBe(true)
        for (const { name, body } of posts) expect(name + body).not.toMatch(/[\0\ud800-\udfff]/u)
      }),
      { numRuns: 500 },
    )
  })

  it('takes time in proportion to its size, whatever it is made of', () => {
    // Quadratic time would take minutes.
    for (const piece of [
      '<a ',
      '&',
      '&#1',
      '<',
      '<br ',
      ' <br',
      '\t',
      '\t[',
      '◆',
      '</b>',
      ' ',
      '<>',
      ',',
      'ID:',
      'sssp://',
      '\ufffd',
      '(',
    ]) {
      const { posts } = readLog(encodeCp932(`a<><>${DATE} ${piece.repeat(100_000)}<>b<>t\n${piece.repeat(100_000)}`))
      expect(posts.length).toBeGreaterThan(0)
      readLog(encodeCp932(`${piece.repeat(100_000)}<><>${DATE}<>${piece.repeat(100_000)}<>${piece.repeat(100_000)}`))
    }
  })
})

describe('other formats', () => {
  it('are read: lines of commas', () => {
    const log = read(`名無し,sage,00/01/02 03:04,一＠｀二<br>三,題＠｀名\n名無し,,あぼーん,x,\n`)
    expect(log).toMatchObject({ format: 'comma', title: '題,名' })
    expect(log.posts[0]).toMatchObject({ body: '一,二\n三', mail: 'sage', at: new Date('2000-01-01T18:04:00Z') })
    expect(log.posts[1]).toMatchObject({ removed: true })
  })

  it('are read: JBBS, whose lines have numbers and leave removed posts out', () => {
    const line = (number: number, title = '') =>
      `${number}<>名無し<>sage<>2005/01/02(日) 03:04:05<>本文${number}<>${title}<>AbC1/2x.`
    const log = readLog(iconv.encode(`${[line(1, '題名'), line(2), line(5), line(5)].join('\n')}\n`, 'euc-jp'))
    expect(log).toMatchObject({ format: 'jbbs', encoding: 'euc-jp', title: '題名' })
    expect(log.posts.map(({ number, removed, body }) => [number, removed ? null : body])).toEqual([
      [1, '本文1'],
      [2, '本文2'],
      [3, null],
      [4, null],
      [5, '本文5'],
      [6, '本文5'],
    ])
    expect(log.posts[0]).toMatchObject({ posterId: 'AbC1/2x.', at: new Date('2005-01-01T18:04:05Z') })
    expect([...log.odd.keys()]).toEqual(['missing_number', 'bad_number'])
  })

  it('do not make numbers without end of one', () => {
    expect(read(`1<>a<><>${DATE}<>b<>t<>i\n999999<>a<><>${DATE}<>b<><>i`).posts).toHaveLength(2)
  })
})

describe('the encoding', () => {
  const text = `名無しさん<>sage<>${DATE} ID:abc<> ｷﾀ━━━(ﾟ∀ﾟ)━━━!! 漢字とひらがな、カタカナ。 <>題名\n`

  it.each([
    ['cp932', iconv.encode(text, 'cp932')],
    ['euc-jp', iconv.encode(text, 'euc-jp')],
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\ufeff${text}`)],
    ['utf-8', Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0x0a])])],
    ['euc-jp', Buffer.concat([iconv.encode(text, 'euc-jp'), Buffer.from([0xff, 0x0a])])],
    ['cp932', Buffer.concat([iconv.encode(text, 'cp932'), Buffer.from([0xff, 0x80, 0x0a])])],
    ['cp932', Buffer.from('ascii')],
  ] as const)('of a log is detected: %s', (encoding, bytes) => {
    expect(detectEncoding(bytes)).toBe(encoding)
    if (bytes.length > 10) expect(readLog(bytes).posts[0]).toMatchObject({ name: '名無しさん', at: AT })
  })
})

/** Posts as boards write them, made of everything that the format has. */
const character = fc.constantFrom(
  ...[
    ...'あ漢カｶﾞ①㈱髙～∀￣＿ aB1<>&"\'*;#◇☆゜ヾ¥‾\\',
    '　',
    '😂',
    '👨‍👩‍👧',
    'é',
    '\ufffd',
    '&amp;',
    '<br>',
    '<>',
    '&#1;',
    'あぼーん',
  ],
)
const line = fc.array(character, { maxLength: 12 }).map((parts) => parts.join('').trim())
const bodyText = fc
  .array(fc.array(fc.oneof(character, fc.constantFrom(' ', '　', '\t')), { maxLength: 20 }), { maxLength: 6 })
  .map((lines) => lines.map((parts) => parts.join('')).join('\n'))
const time = fc.integer({ min: 0, max: Date.UTC(2099, 11, 31) / 10 }).map((hundredths) => new Date(hundredths * 10))
const code = (length: number) =>
  fc.array(fc.constantFrom(...'aZ09./+_-'), { minLength: 1, maxLength: length }).map((parts) => parts.join(''))
const datPost: fc.Arbitrary<DatPost> = fc.record({
  ...{ name: line, trip: fc.option(code(15)), staff: fc.boolean(), mail: fc.oneof(fc.constantFrom('', 'sage'), line) },
  ...{ at: time, posterId: fc.option(code(9)), body: bodyText, title: fc.constant('') },
})

const withTitle = (posts: readonly DatPost[], title: string): DatPost[] =>
  posts.map((post, index) => ({ ...post, title: index === 0 ? title : '' }))

describe('what is written', () => {
  it('is read as it was', () => {
    fc.assert(
      fc.property(fc.array(datPost, { minLength: 1, maxLength: 8 }), line, (posts, title) => {
        const log = readLog(Buffer.concat(withTitle(posts, title).map(formatLine)))
        expect(log.title).toBe(title)
        expect(log.posts).toEqual(
          posts.map(({ title: _title, ...post }, index) => ({ ...post, number: index + 1, removed: false })),
        )
        expect([...log.odd.keys()].filter((kind) => kind !== 'no_title')).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('is the same byte for byte when it is written again: a thread of 1,001 posts of drawings', () => {
    const drawings = [
      '　　∧＿∧\n　 （　´∀｀）＜ お茶が入ったぞ\n　 （　　　　）\n　 ｜ ｜　|\n　 （_＿）＿）',
      '　　 ∧,,∧\n 　(,,・∀・)　"&lt;"  <  >\n\n　～(_ｕ,ｕﾉ  ',
      ' ／＼＿／＼ \n　 |　・　・　|　ﾆｬｰ\n|　　＝　　| 😂\n＼＿＿＿／',
    ]
    const posts = Array.from({ length: 1_001 }, (_, index): DatPost => ({
      ...{ name: '名無しさん', trip: index % 7 === 0 ? 'abcdEFGH12' : null, staff: index % 50 === 0 },
      ...{ mail: index % 2 === 0 ? 'sage' : '', at: new Date(AT.getTime() + index * 12_340), posterId: 'abcd1234' },
      ...{ body: drawings[index % 3]!, title: index === 0 ? '描く' : '' },
    }))
    const written = Buffer.concat(posts.map(formatLine))
    const log = readLog(written)
    expect(log.posts).toHaveLength(1_001)
    const again = log.posts.map((post) =>
      formatLine({ ...post, at: post.at!, title: post.number === 1 ? log.title : '' }),
    )
    expect(Buffer.concat(again).equals(written)).toBe(true)
  })
})
