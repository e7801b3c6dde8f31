import { describe, expect, it } from 'vitest'
import { isForbiddenByTag, namesLicence, readReservations } from './opt-outs.ts'

const NOW = Date.parse('2026-11-21T04:03:00Z')

describe('X-Robots-Tag', () => {
  const forbids = (...tags: string[]): boolean => isForbiddenByTag(tags, 'page', NOW)

  it.each([
    ...['noindex', 'none', 'noai', 'nosnippet', 'NOINDEX, nofollow', 'nofollow , noai', 'max-snippet:0'],
    'max-snippet:50',
    ...['max-snippet: 0', '*: noindex', 'ShinobiItaBot: noindex', 'shinobiitabot: nofollow, max-snippet: 0'],
    ...['googlebot: nofollow, shinobiitabot: none', 'unavailable_after: 25 Jun 2010 15:00:00 PST'],
    ...['unavailable_after: Wed, 03 Dec 2025 13:09:53 GMT', 'unavailable_after: 2026-11-21'],
    'nofollow, unavailable_after: Wednesday, 25-Jun-10 15:00:00 PST, noarchive',
  ])('forbids the use of a page by %s', (tag) => {
    expect(forbids(tag)).toBe(true)
    expect(forbids('nofollow', tag)).toBe(true)
  })

  it.each([
    ...['', 'all', 'index, follow', 'nofollow', 'noarchive', 'noimageai', 'max-snippet:300', 'max-snippet:-1'],
    ...['max-image-preview:large', 'googlebot: noindex', 'googlebot: nofollow, noindex'],
    ...['otherbot: none, googlebot: noai', 'max-image-preview: none', 'unavailable_after: 2026-11-22'],
    ...['unavailable_after: Fri, 03 Dec 2027 13:09:53 GMT', 'unavailable_after: someday'],
    'googlebot: unavailable_after: 25 Jun 2010 15:00:00 PST',
  ])('allows the use of a page by %s', (tag) => {
    expect(forbids(tag)).toBe(false)
  })

  it('has directives for pictures alone', () => {
    const forbidsPicture = (tag: string): boolean => isForbiddenByTag([tag], 'image', NOW)
    const forbidding = ['noimageai', 'noimageindex', 'max-image-preview: none', 'noai', 'noindex', 'none']
    expect(forbidding.every(forbidsPicture)).toBe(true)
    expect(['nosnippet', 'max-snippet:0', 'nofollow', 'googlebot: noimageai'].some(forbidsPicture)).toBe(false)
  })
})

describe('TDM reservations', () => {
  const ORIGIN = new URL('https://news.example/.well-known/tdmrep.json')
  const read = (rules: unknown) => readReservations(JSON.stringify(rules), ORIGIN)
  it.each([
    ['*/b$', '/b/a/b', true],
    ['/記事/*', '/記事/1', true],
    ['news/', '/news/1', true],
    ['/news/', '/new', false],
  ])('for %s cover %s: %s', (location, path, expected) => {
    expect(read([{ location, 'tdm-reservation': 1 }]).covers(new URL(path, ORIGIN))).toBe(expected)
  })

  it('apply wherever any rule reserves, and nowhere else', () => {
    const rules = [
      { location: '/open/', 'tdm-reservation': 0 },
      { location: '/open/closed/', 'tdm-reservation': 1 },
      { location: '/text', 'tdm-reservation': '1', 'tdm-policy': 'https://news.example/policy.json' },
    ]
    const reservations = read(rules)
    const reserved = ['/open/a', '/open/closed/a', '/text', '/else'].filter((path) =>
      reservations.covers(new URL(path, ORIGIN)),
    )
    expect(reserved).toEqual(['/open/closed/a', '/text'])
  })

  it.each([
    null,
    ...['', 'not JSON', '{}', '<!doctype html>'],
    '[null, 1, "a", {"location": 3, "tdm-reservation": 1}, {"tdm-reservation": 1}]',
  ])('are empty for a file of %s', (text) => {
    expect(readReservations(text, ORIGIN).covers(ORIGIN)).toBe(false)
  })
})

it.each([
  [['<https://news.example/license.xml>; rel="license"; type="application/rsl+xml"'], true],
  [['</a.css>; rel=preload, </rsl>; type="application/rsl+xml"; rel=license'], true],
  [['<https://creativecommons.org/licenses/by/4.0/>; rel="license"'], false],
  [['</rsl>; rel="alternate"; type="application/rsl+xml"'], false],
  [[], false],
])('terms of RSL are found in links: %j', (links, expected) => {
  expect(namesLicence(links)).toBe(expected)
})
