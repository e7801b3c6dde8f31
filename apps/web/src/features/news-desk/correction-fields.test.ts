import { messages } from '@shinobi/contract/messages'
import { describe, expect, it } from 'vitest'
import { cleanCorrection, findCorrectionProblems, hasProblems, readKept } from './correction-fields.ts'

const correction = {
  title: '月の出が早まる',
  sentences: ['月が早く昇る。', '理由はわからない。'],
  note: '時刻の誤り',
  corrections: 1,
}

describe('a correction', () => {
  it('is sent as typed, without the spaces around its lines', () => {
    const problems = findCorrectionProblems({ ...correction, title: '　月の出が早まる ' })
    expect(hasProblems(problems)).toBe(false)
    expect(cleanCorrection({ ...correction, note: ' 時刻の誤り　' }).note).toBe('時刻の誤り')
  })

  it('shows the problem at each field', () => {
    const sentences = ['月が早く昇る。', 'あ'.repeat(201), '月が\u202e昇る。', '　']
    const problems = findCorrectionProblems({ title: ' ', sentences, note: '', corrections: 0 })
    expect(problems).toEqual({
      title: messages.title_required,
      sentences: [
        null,
        messages.news_sentence_too_long,
        messages.bad_characters('3文字目の文字の向きを変える記号 U+202E'),
        messages.news_sentence_required,
      ],
      note: messages.reason_required,
    })
    expect(hasProblems(problems)).toBe(true)
  })
})

describe('a stored draft of a correction', () => {
  it('is restored completely', () => {
    expect(readKept(JSON.stringify(correction), 2)).toEqual(correction)
    // A cleared field stays empty.
    expect(readKept(JSON.stringify({ ...correction, title: '' }), 2)?.title).toBe('')
  })

  it('is dropped when it no longer fits the summary, or is invalid', () => {
    expect(readKept(JSON.stringify(correction), 3)).toBeNull()
    for (const text of ['', '{', 'null', '[]', '"x"', '{"title":1,"sentences":["a","b"],"note":"","corrections":0}'])
      expect(readKept(text, 2)).toBeNull()
    expect(readKept(JSON.stringify({ ...correction, sentences: ['あ', 2] }), 2)).toBeNull()
    expect(readKept(JSON.stringify({ ...correction, corrections: '1' }), 2)).toBeNull()
  })
})
