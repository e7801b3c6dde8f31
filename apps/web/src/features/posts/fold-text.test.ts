import { describe, expect, test } from 'vitest'
import { foldArt, foldText } from './fold-text.ts'

describe('foldText', () => {
  test('a short post is shown whole', () => {
    expect(foldText('草')).toEqual({ head: '草', rest: null })
    expect(foldText('a\n'.repeat(29))).toEqual({ head: 'a\n'.repeat(29), rest: null })
  })
  test('many lines are cut between two lines', () => {
    const text = Array.from({ length: 40 }, (_, index) => `${index}行目`).join('\n')
    const { head, rest } = foldText(text)
    expect(head.split('\n')).toHaveLength(20)
    expect(`${head}\n${rest}`).toBe(text)
  })
  test('one very long line is cut at the end of a sentence', () => {
    const text = `${'あ'.repeat(700)}。${'い'.repeat(3000)}`
    const { head, rest } = foldText(text)
    expect(head).toBe(`${'あ'.repeat(700)}。`)
    expect(`${head}${rest}`).toBe(text)
  })
  test('no character is cut in two', () => {
    const { head, rest } = foldText(`a${'𠮷'.repeat(3000)}`)
    expect(head.isWellFormed()).toBe(true)
    expect(rest?.isWellFormed()).toBe(true)
  })
})

describe('foldArt', () => {
  test('art of 60 lines is shown whole, however wide', () => {
    const art = Array.from({ length: 60 }, () => '　 ∧＿∧'.repeat(20)).join('\n')
    expect(foldArt(art)).toEqual({ head: art, rest: null })
  })
  test('art of 1,900 lines shows its beginning', () => {
    const art = '　 ｜\n'.repeat(1_900)
    const { head, rest } = foldArt(art)
    expect(head.split('\n')).toHaveLength(20)
    expect(`${head}\n${rest}`).toBe(art)
  })
})
