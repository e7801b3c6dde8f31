import { expect, it } from 'vitest'
import { createByteBudget } from './byte-budget.ts'

it('limits the total and each source, and reserves nothing for a refused one', () => {
  const budget = createByteBudget({ total: 100, ofOne: 60 })
  expect(budget.take('a', 60)).toBe(true)
  expect(budget.take('a', 1)).toBe(false)
  expect(budget.take('b', 41)).toBe(false)
  expect(budget.take('b', 40)).toBe(true)
  budget.giveBack('a', 10)
  expect(budget.take('b', 11)).toBe(false)
  expect(budget.take('a', 10)).toBe(true)
  budget.giveBack('a', 60)
  budget.giveBack('b', 40)
  expect(budget.take('c', 60)).toBe(true)
})
