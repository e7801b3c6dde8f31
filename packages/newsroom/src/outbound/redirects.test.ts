import { expect, it } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { OPEN_DOOR } from './addresses.ts'
import { nextStep } from './redirects.ts'

/** Where a redirect of an address leads, or its problem. */
async function step(from: string, location?: string): Promise<string | null> {
  const values = () => (location === undefined ? [] : [location])
  let next: URL | null = null
  const problem = await problemOf(() => (next = nextStep({ url: new URL(from), status: 302, values }, OPEN_DOOR)))
  return problem ?? String(next)
}

it.each([
  ['https://a.example/b/c', '../d?e#f', 'https://a.example/d?e'],
  ['https://a.example/', '//b.example/c', 'https://b.example/c'],
  ['http://a.example/', 'https://a.example/', 'https://a.example/'],
  // Unescaped Japanese, as headers are decoded.
  ['https://a.example/', Buffer.from('/忍者').toString('latin1'), 'https://a.example/%E5%BF%8D%E8%80%85'],
  ['https://a.example/', 'http://a.example/b', 'redirects'],
  ['https://a.example/', undefined, 'redirects'],
  ['https://a.example/', 'file:///etc/passwd', 'refused_address'],
  ['https://a.example/', 'https://kaede:pass@a.example/', 'refused_address'],
  ['https://a.example/', `/${'a'.repeat(2_000)}`, 'redirects'],
])('a redirect of %s to %s leads to %s', async (from, location, expected) => {
  expect(await step(from, location)).toBe(expected)
})
