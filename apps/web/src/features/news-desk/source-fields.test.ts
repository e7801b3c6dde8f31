import { messages } from '@shinobi/contract/messages'
import { newsSourceInput, type NewsSource } from '@shinobi/contract/news'
import { describe, expect, it } from 'vitest'
import {
  fieldsOf,
  findSourceProblems,
  newSource,
  readInterval,
  readSource,
  type SourceFields,
} from './source-fields.ts'

const CATEGORY = '01900000-0000-7000-8000-00000000000a'
const fields: SourceFields = { ...newSource(CATEGORY), url: ' https://news.example.jp/rss ', name: '月影新聞　' }

describe('the fields of a source', () => {
  it("become the server's input", () => {
    const input = readSource(fields)
    expect(input).toEqual({
      url: 'https://news.example.jp/rss',
      name: '月影新聞',
      categoryId: CATEGORY,
      language: 'ja',
      permission: 'headline',
      intervalMinutes: 30,
      active: true,
    })
    expect(newsSourceInput.parse(input)).toEqual(input)
  })

  const wrong: [Partial<SourceFields>, string][] = [
    [{ url: '' }, messages.news_url_bad],
    [{ url: 'news' }, messages.news_url_bad],
    [{ url: 'ftp://a.example/' }, messages.news_url_bad],
    [{ url: 'javascript:alert(1)' }, messages.news_url_bad],
    [{ url: 'https://a:b@news.example/' }, messages.news_url_bad],
    [{ url: `https://a/${'x'.repeat(2_000)}` }, messages.news_url_bad],
    [{ name: '　' }, messages.news_name_required],
    [{ name: '月'.repeat(41) }, messages.news_name_too_long],
    [{ name: '月影\u202e新聞' }, messages.bad_characters('3文字目の文字の向きを変える記号 U+202E')],
    [{ language: '日本語' }, messages.news_language_bad],
    [{ categoryId: '' }, messages.category_required],
    [{ interval: '' }, messages.news_interval_range],
    [{ interval: '4' }, messages.news_interval_range],
    [{ interval: '1441' }, messages.news_interval_range],
    [{ interval: '7.5' }, messages.news_interval_range],
    [{ interval: '-5' }, messages.news_interval_range],
  ]

  it.each(wrong)('are refused with the server’s messages where the server would refuse them: %o', (change, words) => {
    expect(Object.values(findSourceProblems({ ...fields, ...change }))).toEqual([words])
    expect(readSource({ ...fields, ...change })).toBeNull()
    const intervalMinutes = Number.parseFloat(change.interval ?? '30')
    const { error } = newsSourceInput.safeParse({ ...readSource(fields), ...change, intervalMinutes })
    expect(error?.issues.map(({ message }) => message)).toContain(words)
  })

  it('accept an interval in full-width digits', () => {
    expect(readInterval('　６０ ')).toBe(60)
  })

  it('of a source that is only opened are those of the source', () => {
    const source = readSource(fields)!
    expect(readSource(fieldsOf(source as NewsSource))).toEqual(source)
  })
})
