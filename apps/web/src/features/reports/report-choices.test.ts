import { REPORT_REASON } from '@shinobi/contract/limits'
import { findProblem } from '@shinobi/contract/text'
import { expect, test } from 'vitest'
import { choiceOf, REPORT_CHOICES, withChoice } from './report-choices.ts'

test('each choice is a complete reason, and none is the prefix of another', () => {
  for (const choice of REPORT_CHOICES) {
    expect(findProblem(choice, REPORT_REASON, 'body')).toBeNull()
    expect(choiceOf(choice)).toBe(choice)
  }
})

test('a choice replaces the previous one and keeps the added text', () => {
  expect(withChoice('', 'わいせつ')).toBe('わいせつ')
  expect(withChoice('わいせつ', '宣伝・スパム')).toBe('宣伝・スパム')
  expect(withChoice('わいせつ\n画像です', '宣伝・スパム')).toBe('宣伝・スパム\n画像です')
  expect(withChoice('画像です', 'わいせつ')).toBe('わいせつ\n画像です')
  expect(withChoice('わいせつ\n画像です', null)).toBe('画像です')
  expect(withChoice('画像です', null)).toBe('画像です')
})

test('free text is no choice', () => {
  expect(choiceOf('')).toBeNull()
  expect(choiceOf('これは宣伝・スパムだ')).toBeNull()
})
