import { expect, it } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { OPEN_DOOR } from './addresses.ts'
import type { Head } from './client.ts'
import { nextStep } from './redirects.ts'

const leads = (from: string, location?: string): Head => ({
  url: new URL(from),
  status: 302,
  values: () => (location === undefined ? [] : [location]),
})

it('a redirect leads to a path, to another host, and from http to https', () => {
  expect(nextStep(leads('https://a.example/b/c', '../d?e#f'), OPEN_DOOR).href).toBe('https://a.example/d?e')
  expect(nextStep(leads('https://a.example/', '//b.example/c'), OPEN_DOOR).href).toBe('https://b.example/c')
  expect(nextStep(leads('http://a.example/', 'https://a.example/'), OPEN_DOOR).href).toBe('https://a.example/')
})

it('a redirect to an address with unescaped Japanese is understood', () => {
  const location = Buffer.from('/忍者').toString('latin1')
  expect(nextStep(leads('https://a.example/', location), OPEN_DOOR).pathname).toBe('/%E5%BF%8D%E8%80%85')
})

it('a redirect from https to http is refused, and so is one without a target or with an address too long to store', async () => {
  expect(await problemOf(() => nextStep(leads('https://a.example/', 'http://a.example/b'), OPEN_DOOR))).toBe(
    'redirects',
  )
  expect(await problemOf(() => nextStep(leads('https://a.example/'), OPEN_DOOR))).toBe('redirects')
  expect(await problemOf(() => nextStep(leads('https://a.example/', `/${'a'.repeat(2_000)}`), OPEN_DOOR))).toBe(
    'redirects',
  )
})
