import { expect, it } from 'vitest'
import { namesLicence, refusesUsage } from './usage.ts'

it.each(['train-ai=n', 'search=y, train-ai=n', 'AI=N', 'bots=y;genai=n'])('usage is refused by %s', (value) => {
  expect(refusesUsage(value)).toBe(true)
})

it.each(['', 'train-ai=y', 'search=n', 'train-ai', 'n', '=;,'])('usage is not refused by %j', (value) => {
  expect(refusesUsage(value)).toBe(false)
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
