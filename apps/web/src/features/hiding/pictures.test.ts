import { afterEach, expect, it, vi } from 'vitest'
import { hashPicture } from './pictures.ts'

afterEach(() => vi.unstubAllGlobals())

it('a picture that could not be loaded is asked for again, and one that could is not', async () => {
  const answers = [
    () => Promise.reject(new TypeError('no network')),
    () => Promise.resolve(new Response('', { status: 503 })),
    () => Promise.resolve(new Response('moon')),
  ]
  const fetch = vi.fn(() => answers.shift()!())
  vi.stubGlobal('fetch', fetch)
  expect(await hashPicture('/images/moon-s.webp')).toBe(null)
  expect(await hashPicture('/images/moon-s.webp')).toBe(null)
  const hash = await hashPicture('/images/moon-s.webp')
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(await hashPicture('/images/moon-s.webp')).toBe(hash)
  expect(fetch).toHaveBeenCalledTimes(3)
})
