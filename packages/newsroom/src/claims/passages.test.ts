import { describe, expect, it } from 'vitest'
import { readPassages } from './passages.ts'

describe('the passages of an article', () => {
  it('have a lead of three sentences, also where all stands in one paragraph', () => {
    expect(readPassages('一つ目。二つ目。\n三つ目。').lead).toEqual(['一つ目。', '二つ目。'])
    expect(readPassages('一つ目。'.repeat(50)).lead).toHaveLength(3)
  })

  it('stay short where a text has no full stops, and quotes are found across the cuts', () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `${at}番目の話`).join('、')
    const { written, find } = readPassages(text)
    expect(written.join('')).toBe(text)
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(400)
    const cut = written[0]!.length
    expect(find(text.slice(cut - 20, cut + 20))).toEqual([{ from: 0, to: 1 }])
    expect(readPassages('長'.repeat(1_000)).written.map(({ length }) => length)).toEqual([400, 400, 200])
  })
})
