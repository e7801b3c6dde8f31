import { describe, expect, it } from 'vitest'
import { TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import { countGraphemes } from '@shinobi/contract/text'
import { fitSummary } from './made.ts'

const ARTICLE = { title: '図書館、夜10時まで開館へ', site: '忍日報' }
const told = (...texts: string[]) => texts.map((text) => ({ text, quote: '中央図書館の開館時間' }))
const titleOf = (given: string, article = ARTICLE) => fitSummary(article, { title: given, sentences: [] })?.title

describe('a summary fitted to the board', () => {
  it('keeps its own title and sentences where both fit', () => {
    const given = { title: '夜も開く図書館', sentences: told('市は図書館を夜まで開く。', '職員を12人増やす。') }
    expect(fitSummary(ARTICLE, given)).toEqual(given)
  })

  it('takes the title of the article where it has none, or an invalid one', () => {
    expect(fitSummary(ARTICLE, { sentences: [] })?.title).toBe(ARTICLE.title)
    expect(titleOf('\u202e\n ')).toBe(ARTICLE.title)
  })

  it('adds the publisher where the title of the article is too short', () => {
    expect(titleOf('', { title: '号', site: '忍日報' })).toBe('号 - 忍日報')
  })

  it('has a title of one line that is cut to fit, without direction marks', () => {
    expect(titleOf('夜も\n開く\u202e\t図書館')).toBe('夜も 開く 図書館')
    const cut = titleOf('長い題'.repeat(100))!
    expect(countGraphemes(cut)).toBe(TITLE.max)
    expect(cut).toMatch(/…$/)
  })

  it('is null when a sentence is longer than the board accepts, or empty', () => {
    const long = '開'.repeat(NEWS_SENTENCE.max + 1)
    expect(
      fitSummary(ARTICLE, { title: '夜も開く図書館', sentences: told('市は図書館を夜まで開く。', long) }),
    ).toBeNull()
    expect(fitSummary(ARTICLE, { title: '夜も開く図書館', sentences: told('\u200b') })).toBeNull()
  })
})
