import { expect, test } from 'vitest'
import { makePost } from '../post-fixtures.ts'
import { extract, type Wanted } from './extract.ts'

const MEMBER = '01920000-0000-7000-8000-00000000000a'
const posts = [
  makePost(1, { name: '影', content: '問い', likes: 2 }),
  makePost(2, { name: '影', userId: MEMBER, content: '>>1 会員の影 https://example.jp/' }),
  makePost(3, { name: '月', content: '>>1 絵', imageUrl: '/images/a', likes: 5 }),
  makePost(4, { name: '影', content: '>>1-2 二つに答える' }),
  makePost(5, { name: '影', content: '', deleted: true }),
]
const numbersOf = (wanted: Wanted, own: readonly number[] = []) =>
  extract(posts, wanted, ({ number }) => own.includes(number)).map(({ number }) => number)

test('the posts of a writer are those of the name, and a member is not a visitor of the same name', () => {
  expect(numbersOf({ kind: 'writer', writer: { name: '影', userId: null } })).toEqual([1, 4])
  expect(numbersOf({ kind: 'writer', writer: { name: '影', userId: MEMBER } })).toEqual([2])
})

test('a tripcode is another writer than the name alone, under any name', () => {
  const named = [
    makePost(1, { name: '影' }),
    makePost(2, { name: '影', trip: 'kamiWSbiis' }),
    makePost(3, { name: '月', trip: 'kamiWSbiis' }),
  ]
  const of = (trip?: string) =>
    extract(named, { kind: 'writer', writer: { name: '影', userId: null, trip } }, () => false).map(
      ({ number }) => number,
    )
  expect(of()).toEqual([1])
  expect(of('kamiWSbiis')).toEqual([2, 3])
})

test('the posts of an ID are those that show it', () => {
  const shown = [makePost(1, { posterId: 'aaaaaaaa' }), makePost(2), makePost(3, { posterId: 'bbbbbbbb' })]
  expect(extract(shown, { kind: 'id', id: 'bbbbbbbb' }, () => false)).toEqual([shown[2]])
})

test('posts with images and with links keep their order', () => {
  expect(numbersOf({ kind: 'images' })).toEqual([3])
  expect(numbersOf({ kind: 'links' })).toEqual([2])
})

test('the most liked and the most answered posts come first', () => {
  expect(numbersOf({ kind: 'liked' })).toEqual([3, 1])
  expect(numbersOf({ kind: 'answered' })).toEqual([1])
})

test('own posts come with the answers to them', () => {
  expect(numbersOf({ kind: 'own' }, [2])).toEqual([2, 4])
  expect(numbersOf({ kind: 'own' })).toEqual([])
})
