import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { id, line, wholeNumber } from '@shinobi/contract/common'
import { SEARCH } from '@shinobi/contract/limits'
import { positionsQuery } from '@shinobi/contract/threads'
import { addressBySchema, canonicalUrl, originForm, withoutChanges } from './canonical-url.ts'

const words = { blank: '', too_short: '', too_long: '' }
const addressOf = addressBySchema(
  z.object({
    search: line(SEARCH, words).optional(),
    after: wholeNumber(0, 1_000).default(0),
    cursor: id.optional(),
    ids: positionsQuery.shape.ids,
  }),
)
const ID = '01900000-0000-7000-8000-00000000000a'

describe('one address for each answer', () => {
  it.each([
    ['/', '/'],
    ['//', '/'],
    ['/?utm_source=mail&n=1', '/'],
    ['/thread/a?after=50&q=1', '/thread/a?after=50'],
    ['/thread/a?after=50&after=100', '/thread/a?after=50'],
    ['/thread/a/?after=50', '/thread/a?after=50'],
    ['/thread/a///?after=50', '/thread/a?after=50'],
    ['/thread/%61?%61fter=5%30', '/thread/a?after=50'],
    [`/thread/${ID.toUpperCase()}`, `/thread/${ID}`],
    [`/og/${ID.toUpperCase()}.png`, `/og/${ID}.png`],
    ['/categories/%e9%9b%91%E8%AB%87', '/categories/%E9%9B%91%E8%AB%87'],
    ['/?search=%E5%BF%8D+%E8%80%85', '/?search=%E5%BF%8D+%E8%80%85'],
    ['/?search=%E5%BF%8D%20%E8%80%85', '/?search=%E5%BF%8D+%E8%80%85'],
    ['/?search=++%E5%BF%8D%E3%80%80', '/?search=%E5%BF%8D'],
    ['/?search=a&after=1', '/?search=a&after=1'],
    ['/?after=1&search=a', '/?search=a&after=1'],
    [`/?cursor=${ID.toUpperCase()}`, `/?cursor=${ID}`],
    [`/?ids=,${ID.toUpperCase()},,${ID}`, `/?ids=${ID}`],
    ['/a%2Fb', '/a%2Fb'],
    ['/%FF?after=1', '/%FF?after=1'],
  ])('%s is %s', (url, canonical) => {
    expect(canonicalUrl(url, addressOf)).toBe(canonical)
    expect(canonicalUrl(canonical, addressOf)).toBe(canonical)
  })

  it.each(['00', '050', '1e2', '0x64', '%20100', '+100', '100.0', '-0', '1001', '', 'z1'])(
    'there is none for the number “%s”, which is refused',
    (value) => expect(canonicalUrl(`/thread/a?after=${value}`, addressOf)).toBeNull(),
  )
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
