import { describe, expect, it } from 'vitest'
import { hashUrl, plainUrl, webUrl } from './urls.ts'

describe('the plain address of an article', () => {
  it.each([
    ['https://News.Example:443/a?utm_source=rss&utm_medium=feed', 'https://news.example/a'],
    ['https://news.example/a?id=5&fbclid=x&page=2#comments', 'https://news.example/a?id=5&page=2'],
    ['https://news.example/a?b=2&a=1', 'https://news.example/a?b=2&a=1'],
    ['https://news.example/a?q=%E6%84%9B+x&gclid=1', 'https://news.example/a?q=%E6%84%9B+x'],
    ['https://news.example/記事?iref=rss', 'https://news.example/%E8%A8%98%E4%BA%8B'],
    ['https://news.example/?utmost=1&reference=2', 'https://news.example/?utmost=1&reference=2'],
    ['not an address', 'not an address'],
  ])('of %s is %s', (url, plain) => {
    expect(plainUrl(url)).toBe(plain)
  })

  it('identifies an article with and without encryption', () => {
    expect(hashUrl('https://news.example/a?utm_source=rss#top')).toBe(hashUrl('http://news.example/a'))
    expect(hashUrl('https://news.example/a')).not.toBe(hashUrl('https://news.example/b'))
    expect(hashUrl('https://news.example/a')).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each([
    ...['https://www.news.example/local/12', 'https://m.news.example/local/12', 'https://news.example/local/12/'],
    ...['https://news.example/local/12/index.html', 'https://news.example/local/12?page=2'],
    ...['https://news.example/local/12?ref=top&utm_source=rss', 'https://news.example/amp/local/12'],
    ...['https://news.example/local/12/amp/', 'https://amp.news.example/local/12?amp=1'],
  ])('identifies an article in another variant of its address: %s', (variant) => {
    expect(hashUrl(variant)).toBe(hashUrl('https://news.example/local/12'))
  })

  it.each([
    ['https://news.example/?page=2', 'https://news.example/?page=3'],
    ['https://news.example/local/12?id=1', 'https://news.example/local/12?id=2'],
    ['https://news.example/local/12', 'https://news.example/local/123'],
    ['https://world.news.example/12', 'https://news.example/12'],
    ['https://www.example/12', 'https://m.example/12'],
    ['https://news.example/camp/12', 'https://news.example/c/12'],
  ])('tells other articles apart: %s and %s', (one, other) => {
    expect(hashUrl(one)).not.toBe(hashUrl(other))
  })
})

it.each([
  ['/a', 'https://news.example/a'],
  ['../b?c', 'https://news.example/b?c'],
  ['  https://other.example/ ', 'https://other.example/'],
  ['', null],
  ['javascript:alert(1)', null],
  ['data:text/html,x', null],
  ['ftp://news.example/a', null],
  ['https://user:secret@news.example/', null],
  ['https://', null],
  [`/${'a'.repeat(2_000)}`, null],
])('an address %j in a page leads to %j', (written, url) => {
  expect(webUrl(written, 'https://news.example/feeds/')).toBe(url)
})
