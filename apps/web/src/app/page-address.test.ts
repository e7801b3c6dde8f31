import { expect, it } from 'vitest'
import { addressOf } from './page-address.ts'

const ID = '01900000-0000-7000-8000-00000000000a'

it.each([
  ['/?sort=z1', '/'],
  ['/?sort=newest&search=+&within=day', '/'],
  ['/?sort=liked&search=%20a%20&color=red', '/?search=a&sort=liked'],
  ['/ranking?cursor=', '/ranking'],
  ['/thread/a?after=z1', '/thread/a'],
  ['/thread/a?after=0', '/thread/a'],
  ['/thread/a?after=0050', '/thread/a?after=50'],
  ['/thread/a?after=50&last=1', '/thread/a?last=1'],
  ['/thread/a?last=2', '/thread/a'],
  ['/THREAD/a?after=50', '/thread/a?after=50'],
  ['/Categories/%E9%9B%91/PAST?cursor=b&q=1', '/categories/%E9%9B%91/past?cursor=b'],
  ['/create?previous=z1&category=a', '/create?category=a'],
  [`/create?previous=${ID.toUpperCase()}`, `/create?previous=${ID}`],
  ['/notebook?list=favourites', '/notebook'],
  ['/notebook?list=z1', '/notebook'],
  ['/notebook?list=posts', '/notebook?list=posts'],
  ['/ABOUT?after=1', '/about'],
  ['/ADMIN/a/b', '/admin/a/b'],
  ['/not-found', '/not-found'],
  ['/x1?after=1', '/not-found'],
  ['/thread/a/b/c', '/thread/-/-/-'],
  ['/categories/a/b', '/not-found'],
])('the page at %s is the one at %s', (address, canonical) => {
  const { pathname, searchParams } = new URL(address, 'http://board')
  expect(addressOf(pathname, searchParams)).toBe(canonical)
  const again = new URL(canonical, 'http://board')
  expect(addressOf(again.pathname, again.searchParams)).toBe(canonical)
})
