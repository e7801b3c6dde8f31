import { expect, it } from 'vitest'
import { CarefulDecoder } from './careful-decoder.ts'

const decode = (event: string, value: unknown) => new CarefulDecoder().add(`2${JSON.stringify([event, value])}`)

it('reads a post of nothing but separators, and a picture as one string', () => {
  for (const content of [','.repeat(4_000), '["'.repeat(1_500), 'a'.repeat(10_000_000)])
    expect(() => decode('newPost', { content })).not.toThrow()
})

it('refuses a message of thousands of values, which would hold all others up', () => {
  expect(() =>
    decode(
      'joinThread',
      Array.from({ length: 5_200 }, () => ({})),
    ),
  ).toThrow('too many values')
  expect(() => decode('joinThread', '['.repeat(6_001))).toThrow('too many values')
})

it('reads one CONNECT of a connection, in whatever spelling the parser knows', () => {
  for (const again of ['0', '', ' ', '\n', '0{"token":"a"}', '0/other,']) {
    const decoder = new CarefulDecoder()
    decoder.add('0')
    decoder.add('2["joinThread","a"]')
    expect(() => decoder.add(again)).toThrow('joins once')
  }
})
