import { expect, it } from 'vitest'
import { createSecretBox } from './secret-box.ts'

const SECRET = 'a secret that is long enough'
const REFUSAL = 'what is sealed cannot be opened'
const { seal, open } = createSecretBox(SECRET, 'traces')

it.each(['203.0.113.7', '', '忍者ブラウザ 🥷', 'x'.repeat(10_000)])('a sealed text opens to the same text', (text) => {
  expect(open(seal(text, 'post 1'), 'post 1')).toBe(text)
})

it('the same text is sealed differently each time, and its plain text never shows', () => {
  const all = Array.from({ length: 50 }, () => seal('203.0.113.7', 'post 1'))
  expect(new Set(all).size).toBe(50)
  for (const sealed of all) expect(Buffer.from(sealed.slice(3), 'base64url').toString('latin1')).not.toContain('203.0')
})

it('opens neither in another context, nor for another purpose, nor with another secret', () => {
  const sealed = seal('203.0.113.7', 'post 1')
  expect(() => open(sealed, 'post 2')).toThrow(REFUSAL)
  expect(() => createSecretBox(SECRET, 'second factor').open(sealed, 'post 1')).toThrow(REFUSAL)
  expect(() => createSecretBox('another secret that is long', 'traces').open(sealed, 'post 1')).toThrow(REFUSAL)
})

it('detects a change of any byte, and a text that was never sealed', () => {
  const bytes = Buffer.from(seal('203.0.113.7', 'post 1').slice(3), 'base64url')
  for (let index = 0; index < bytes.length; index += 1) {
    const changed = Buffer.from(bytes)
    changed[index]! ^= 1
    expect(() => open(`v1.${changed.toString('base64url')}`, 'post 1')).toThrow(REFUSAL)
    expect(() => open(`v1.${bytes.subarray(0, index).toString('base64url')}`, 'post 1')).toThrow(REFUSAL)
  }
  for (const other of ['', 'v1.', 'v2.abc', '203.0.113.7']) expect(() => open(other, 'post 1')).toThrow(REFUSAL)
})
