import type { Scroll } from '@shinobi/contract/scroll'
import { expect, test } from 'vitest'
import { sayNext, sayToday } from './scroll-words.ts'

const scroll = (fields: Partial<Scroll>): Scroll => ({
  of: 'browser',
  level: 0,
  days: 0,
  removals: 0,
  today: 'none',
  dayEndsAt: '2026-11-21T15:00:00.000Z',
  opens: [
    { what: 'links', level: 2, isOpen: false },
    { what: 'images', level: 2, isOpen: false },
    { what: 'words', level: 10, isOpen: false },
  ],
  phraseEndsAt: null,
  levelOfBrowser: null,
  ...fields,
})

test('the next seal is the lowest that is shut, with all that it opens and the days that it takes', () => {
  expect(sayNext(scroll({}))).toEqual({ level: 2, whats: ['links', 'images'], need: '書き込む日があと2日必要です。' })
  expect(sayNext(scroll({ today: 'written' }))?.need).toBe('今日を含めて、書き込む日があと2日必要です。')
  // Removals beyond the days have to be made up for first.
  expect(sayNext(scroll({ days: 1, removals: 3 }))?.need).toBe('書き込む日があと4日必要です。')
  expect(sayNext(scroll({ level: 20, days: 20, opens: [] }))).toBeNull()
})

test('today never promises a rise that does not come', () => {
  expect(sayToday(scroll({ today: 'written' }))).toContain('レベルが1になります')
  expect(sayToday(scroll({ today: 'written', level: 2, days: 4, removals: 2 }))).toContain('レベルが3になります')
  for (const fields of [{ removals: 2 }, { level: 20, days: 20 }] as const)
    expect(sayToday(scroll({ today: 'written', ...fields }))).not.toContain('になります。日本')
  expect(sayToday(scroll({ today: 'written', removals: 2 }))).not.toContain('レベルが')
  expect(sayToday(scroll({ today: 'written', level: 20, days: 20 }))).toContain('これ以上は上がりません')
  expect(sayToday(scroll({ today: 'removed' }))).toContain('数えません')
})
