import { describe, expect, it } from 'vitest'
import { pageNumbers, readPageNumber } from './page-numbers.ts'

describe('pageNumbers', () => {
  it('shows every page of a short list', () => {
    expect(pageNumbers(1, 1)).toEqual([1])
    expect(pageNumbers(2, 5)).toEqual([1, 2, 3, 4, 5])
  })

  it('shows the ends and the neighbours of a page in the middle of a long list', () => {
    expect(pageNumbers(500, 1_000)).toEqual([1, null, 498, 499, 500, 501, 502, null, 1_000])
  })

  it('never hides a single page behind a gap', () => {
    expect(pageNumbers(5, 9)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(pageNumbers(6, 11)).toEqual([1, null, 4, 5, 6, 7, 8, null, 11])
  })

  it('lists existing pages only, each once, with the ends and the current one, for every current page', () => {
    for (let total = 1; total <= 30; total += 1) {
      for (let current = 1; current <= total; current += 1) {
        const pages = pageNumbers(current, total).filter((page) => page !== null)
        expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b))
        expect([pages[0], pages.at(-1)]).toEqual([1, total])
        expect(pages).toContain(current)
      }
    }
  })
})

describe('readPageNumber', () => {
  it('accepts numbers of any width and limits them to the pages of the list', () => {
    expect(readPageNumber(' 12 ', 40)).toBe(12)
    expect(readPageNumber('１２', 40)).toBe(12)
    expect(readPageNumber('0', 40)).toBe(1)
    expect(readPageNumber('999999', 40)).toBe(40)
    expect(readPageNumber('3', 0)).toBe(1)
  })

  it('rejects everything else', () => {
    for (const text of ['', '-1', '1.5', '1e3', '二', '99999999999']) expect(readPageNumber(text, 40)).toBeNull()
  })
})
