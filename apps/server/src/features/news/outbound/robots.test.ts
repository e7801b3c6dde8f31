import { describe, expect, it } from 'vitest'
import { readRobots } from './robots.ts'

const FILE = new URL('https://news.example/robots.txt')
const allows = (text: string | null, path: string): boolean => readRobots(text, FILE).allows(new URL(path, FILE))

describe('robots.txt', () => {
  it('allows everything where there is none, and where it is a page instead', () => {
    expect(allows(null, '/a')).toBe(true)
    expect(allows('', '/a')).toBe(true)
    expect(allows('<!doctype html><p>Not found: /a', '/a')).toBe(true)
  })

  it('speaks to us in the group of everybody', () => {
    const text = 'User-agent: *\nDisallow: /private/\n'
    expect(allows(text, '/private/a')).toBe(false)
    expect(allows(text, '/public')).toBe(true)
  })

  it('speaks to us by name, and then the group of everybody does not count', () => {
    const text = 'User-agent: *\nDisallow: /\n\nUser-agent: shinobiitabot\nDisallow: /private\n'
    expect(allows(text, '/public')).toBe(true)
    expect(allows(text, '/private')).toBe(false)
    expect(allows('User-Agent: ShinobiItaBot\r\nDisallow: /\r\n\r\nUser-agent: *\r\nAllow: /', '/a')).toBe(false)
  })

  it('does not mean us when it names others', () => {
    expect(allows('User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /', '/a')).toBe(true)
  })

  it('lets the longest rule win, with wildcards and ends', () => {
    const text = 'User-agent: *\nDisallow: /news/\nAllow: /news/*/open\nDisallow: /*.pdf$'
    expect(allows(text, '/news/1/closed')).toBe(false)
    expect(allows(text, '/news/1/open')).toBe(true)
    expect(allows(text, '/a.pdf')).toBe(false)
    expect(allows(text, '/a.pdf?download')).toBe(true)
  })

  it('means Japanese paths however they are written', () => {
    expect(allows('User-agent: *\nDisallow: /忍者', '/忍者/一')).toBe(false)
    expect(allows('User-agent: *\nDisallow: /%e5%bf%8d', '/忍者/一')).toBe(false)
  })

  it('asks for time between requests, of which a minute is given', () => {
    const delayOf = (text: string): number => readRobots(text, FILE).delayMs
    expect(delayOf('User-agent: *\nDisallow:')).toBe(0)
    expect(delayOf('User-agent: *\nCrawl-delay: 7.5')).toBe(7_500)
    expect(delayOf('User-agent: *\nCrawl-delay: 86400')).toBe(60_000)
    expect(delayOf('User-agent: *\nCrawl-delay: Infinity')).toBe(60_000)
    expect(delayOf('User-agent: *\nCrawl-delay: -5')).toBe(0)
    expect(delayOf('User-agent: *\nCrawl-delay: soon')).toBe(0)
    expect(delayOf('User-agent: *\nCrawl-delay: 9\n\nUser-agent: ShinobiItaBot\nCrawl-delay: 3')).toBe(3_000)
  })

  it('allows nothing when it has more wildcards than anybody could mean', () => {
    const many = (lines: number): string => `User-agent: *\n${`Disallow: /${'*a'.repeat(500)}b\n`.repeat(lines)}`
    expect(allows(many(10), '/c')).toBe(true)
    expect(allows(many(100), '/c')).toBe(false)
    expect(allows(`User-agent: *\nDisallow: /a${'*'.repeat(100_000)}b`, '/c')).toBe(true)
  })
})
