import { describe, expect, it } from 'vitest'
import { canonicalUrl, originForm, withoutChanges } from './canonical-url.ts'

describe('one address for each answer', () => {
  it.each([
    ['/', '/'],
    ['/?utm_source=mail&n=1', '/'],
    ['/thread/a?after=50&q=1', '/thread/a?after=50'],
    ['/thread/a?after=50&after=100', '/thread/a?after=50'],
    ['/thread/a/?after=50', '/thread/a?after=50'],
    ['/thread/%61?%61fter=5%30', '/thread/a?after=50'],
    ['/categories/%e9%9b%91%E8%AB%87', '/categories/%E9%9B%91%E8%AB%87'],
    ['/?search=%E5%BF%8D+%E8%80%85', '/?search=%E5%BF%8D+%E8%80%85'],
    ['/?search=%E5%BF%8D%20%E8%80%85', '/?search=%E5%BF%8D+%E8%80%85'],
    ['/?search=a&after=1', '/?search=a&after=1'],
    ['/?after=1&search=a', '/?after=1&search=a'],
    ['/a%2Fb', '/a%2Fb'],
    ['/%FF?after=1', '/%FF?after=1'],
  ])('%s is %s', (url, canonical) => {
    expect(canonicalUrl(url, ['search', 'after'])).toBe(canonical)
    expect(canonicalUrl(canonical, ['search', 'after'])).toBe(canonical)
  })
})

describe('the path and query of a target', () => {
  it.each([
    ['/thread/a?after=50', '/thread/a?after=50'],
    ['/thread/a#1?after=50', '/thread/a'],
    ['/thread/a?after=50#?#', '/thread/a?after=50'],
    ['http://one.example/thread/a?after=50', '/thread/a?after=50'],
    ['HTTPS://one.example:443/?after=50', '/?after=50'],
    ['http://one.example', '/'],
    ['http://one.example?after=50', '/?after=50'],
    ['http://one.example#/thread/a', '/'],
    ['//one.example/thread/a', '//one.example/thread/a'],
    ['ftp://one.example/a', '/ftp://one.example/a'],
    ['*', '/*'],
  ])('%s is %s', (target, url) => {
    expect(originForm(target)).toBe(url)
  })
})

describe('an address that goes past copies in front of the board', () => {
  it.each([
    ['/api/threads/a?changes=3', '/api/threads/a'],
    ['/api/threads/a/posts?after=1&changes=3', '/api/threads/a/posts?after=1'],
    ['/api/threads/a/posts?changes=3&after=1', '/api/threads/a/posts?after=1'],
    ['/api/threads/a/posts?after=1&changes=3&limit=2', '/api/threads/a/posts?after=1&limit=2'],
    ['/api/threads?search=changes%3D3', '/api/threads?search=changes%3D3'],
    ['/api/threads?exchanges=3', '/api/threads?exchanges=3'],
  ])('%s is %s for the board itself', (url, own) => {
    expect(withoutChanges(url)).toBe(own)
  })
})
