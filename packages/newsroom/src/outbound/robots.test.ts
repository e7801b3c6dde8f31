import { describe, expect, it } from 'vitest'
import { linesForUs, readRobots, refusesUsage } from './robots.ts'

const FILE = new URL('https://news.example/robots.txt')
const allows = (text: string | null, path: string): boolean => readRobots(text, FILE).allows(new URL(path, FILE))

describe('robots.txt', () => {
  const GROUPS = 'User-agent: *\nDisallow: /\n\nUser-agent: shinobiitabot\nDisallow: /private\n'
  const RULES = 'User-agent: *\nDisallow: /news/\nAllow: /news/*/open\nDisallow: /*.pdf$\nDisallow: /忍者'
  const FIRST = 'User-Agent: ShinobiItaBot\r\nDisallow: /\r\n\r\nUser-agent: *\r\nAllow: /'
  it.each([
    ['that is missing', null, '/a', true],
    ['that is a page instead', '<!doctype html><p>Not found: /a', '/a', true],
    ['with a group that names us', GROUPS, '/public', true],
    ['with a group that names us', GROUPS, '/private', false],
    ['with such a group first', FIRST, '/a', false],
    ['for other robots', 'User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /', '/a', true],
    ['with wildcards', RULES, '/news/1/closed', false],
    ['with a longer rule', RULES, '/news/1/open', true],
    ['with ends', RULES, '/a.pdf', false],
    ['with ends', RULES, '/a.pdf?download', true],
    ['with Japanese paths', RULES, '/忍者/一', false],
    ['with escaped paths', 'User-agent: *\nDisallow: /%e5%bf%8d', '/忍者/一', false],
  ])('%s (%j) allows %s: %s', (_, text, path, allowed) => {
    expect(allows(text, path)).toBe(allowed)
  })

  it('sets a delay between requests, of a minute at most', () => {
    const delays = ['7.5', '86400', 'Infinity', '-5', 'soon', '9\n\nUser-agent: ShinobiItaBot\nCrawl-delay: 3']
    const delayMs = delays.map((delay) => readRobots(`User-agent: *\nCrawl-delay: ${delay}`, FILE).delayMs)
    expect(delayMs).toEqual([7_500, 60_000, 60_000, 0, 0, 3_000])
  })

  it('allows nothing when it has too many wildcards', () => {
    const many = (lines: number): string => `User-agent: *\n${`Disallow: /${'*a'.repeat(500)}b\n`.repeat(lines)}`
    expect(allows(many(10), '/c')).toBe(true)
    expect(allows(many(100), '/c')).toBe(false)
    expect(allows(`User-agent: *\nDisallow: /a${'*'.repeat(100_000)}b`, '/c')).toBe(true)
  })

  it.each(['\u00a0', '\v', '\f', '\u3000', '\ufeff', ' \t'])(
    'counts wildcards behind %j, which the library treats as white space',
    (space) => {
      const rules = `${space}Disallow${space}:${space}/${'*a'.repeat(500)}b\n`.repeat(100)
      expect(allows(`User-agent: *\n${rules}`, '/c')).toBe(false)
      expect(allows(`${space}User-agent:${space}*\n${space}Disallow: /c`, '/c')).toBe(false)
    },
  )

  it('counts wildcards at the length that they have in addresses', () => {
    const many = (letter: string): string => `User-agent: *\nDisallow: /*${letter.repeat(5_000)}\n`
    expect(allows(many('a'), '/c')).toBe(true)
    expect(allows(many('あ'), '/c')).toBe(false)
  })

  it('allows nothing when it has too many rules for us', () => {
    const rules = (count: number): string => Array.from({ length: count }, (_, at) => `Disallow: /${at}\n`).join('')
    expect(allows(`User-agent: *\n${rules(4_000)}`, '/c')).toBe(true)
    expect(allows(`User-agent: *\n${rules(6_000)}`, '/c')).toBe(false)
    expect(allows(`User-agent: other\n${rules(6_000)}`, '/c')).toBe(true)
    expect(allows(`User-agent: *\n${rules(6_000)}User-agent: shinobiitabot\nAllow: /`, '/c')).toBe(true)
  })
})

describe('the lines that are read of robots.txt', () => {
  const names = Array.from({ length: 5_000 }, (_, at) => `User-agent:${at}\n`).join('')

  it('omit other robots, and hold each rule for us once, however many robots it is for', () => {
    const rules = 'Allow:/\n'.repeat(20_000)
    expect(linesForUs(names + rules)).toEqual([])
    expect(linesForUs(`${names}User-agent: *\n${names}${rules}`)).toHaveLength(20_000)
    expect(linesForUs(`User-agent: *\nUser-agent: ShinobiItaBot\n${names}${rules}`)).toHaveLength(20_000)
    expect(allows(`User-agent: *\n${names}Disallow: /a\nAllow: /b`, '/a')).toBe(false)
  })

  it('are rules, delays and signals of all groups that apply to us', () => {
    const text = [
      ...['Sitemap: /map.xml', 'Disallow: /nobody', 'User-agent: *', 'Disallow: /everybody'],
      ...['User-Agent: ShinobiItaBot/2.0', 'User-agent: other', 'Sitemap: /map.xml', 'DISALLOW : /private # not yet'],
      ...['Crawl-Delay: 3', 'User-agent: other', 'Disallow: /other', 'User-agent: shinobiitabot'],
      ...['Content-Signal: ai-input=yes', 'Allow: /a:b**c'],
    ].join('\r')
    expect(linesForUs(text)).toEqual([
      ...['disallow:/private', 'crawl-delay:3', 'content-signal:ai-input=yes', 'allow:/a:b**c'],
    ])
  })

  it('reports how much memory it takes', () => {
    const sizeOf = (text: string): number => readRobots(text, FILE).size
    expect(sizeOf(`${names}Disallow: /`)).toBeLessThan(1_000)
    expect(sizeOf(`User-agent: *\nDisallow: /${'a'.repeat(100_000)}`)).toBeGreaterThan(100_000)
    expect(sizeOf(`User-agent: *\n${'Allow:/\n'.repeat(4_000)}`)).toBeGreaterThan(200_000)
  })
})

describe('content signals, usage and licences', () => {
  const allowsSummaries = (text: string): boolean => readRobots(text, FILE).allowsSummaries

  it.each([
    'User-agent: *\nContent-Signal: search=yes, ai-train=no, ai-input=no\nAllow: /',
    'user-agent: *\r\nallow: /\r\ncontent-signal:ai-input=no',
    'User-Agent: ShinobiItaBot\nCONTENT-SIGNAL: AI-Input = No # for now\n\nUser-agent: *\nAllow: /',
    'Content-Signal: ai-input=no\nUser-agent: *\nAllow: /',
    'User-agent: *\nAllow: /\n\nUser-agent: GPTBot\nUser-agent: *\nContent-Signal: ai-input=no',
    'User-agent: *\nContent-Signal: ai-input=yes\n\nUser-agent: *\nContent-Signal: ai-input=no',
    'User-agent: *\nContent-Signal: /news/ ai-input=no',
    'User-agent: *\nContent-Usage: train-ai=n\nAllow: /',
    'Content-Usage: /news/ ai=n\nUser-agent: *\nAllow: /',
    'License: https://news.example/license.xml\nUser-agent: *\nAllow: /',
    'License: https://news.example/license.xml\nUser-agent: ShinobiItaBot\nCrawl-delay: 5',
    'Content-Signal: ai-input=no\nUser-agent: ShinobiItaBot\nDisallow: /private',
    'User-agent: *\nContent-Usage: ai = n',
  ])('forbid summaries of articles: %j', (text) => {
    expect(allowsSummaries(text)).toBe(false)
    expect(allows(text, '/news/1')).toBe(true)
  })

  it.each([
    '',
    'User-agent: *\nContent-Signal: search=yes, ai-train=no',
    'User-agent: *\nContent-Signal: ai-input=yes',
    'User-agent: *\nContent-Usage: train-ai=y, search=n',
    'License:\nUser-agent: *\nAllow: /',
    'User-agent: *\n# Content-Signal: ai-input=no',
    'User-agent: GPTBot\nContent-Signal: ai-input=no\nDisallow: /\n\nUser-agent: *\nAllow: /',
    'User-agent: *\nContent-Signal: ai-input=no\n\nUser-agent: ShinobiItaBot\nAllow: /',
  ])('do not forbid them for other robots or other uses: %j', (text) => {
    expect(allowsSummaries(text)).toBe(true)
  })
})

it.each([
  ...['train-ai=n', 'search=y, train-ai=n', 'AI=N', 'bots=y;genai=n'].map((value) => [value, true] as const),
  ...['', 'train-ai=y', 'search=n', 'train-ai', 'n', '=;,'].map((value) => [value, false] as const),
])('usage of %j is refused: %s', (value, refused) => {
  expect(refusesUsage(value)).toBe(refused)
})
