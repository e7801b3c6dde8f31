import { expect, it } from 'vitest'
import { findRisks } from './grave.ts'

it.each([
  'ベルカ国のオルド外相が死去',
  'ナダル元首相が入院',
  'マクロン仏大統領が倒れる',
  '習近平国家主席が病気に',
  'トランプ前大統領が有罪に',
  'ハメネイ師が死亡',
  '凪原知事が脱税か',
  '佐藤健一さんを書類送検',
])('a grave matter of somebody who is named waits for a person: %s', (title) => {
  expect(findRisks({ title, sentences: [] })).not.toEqual([])
})

it('a calm sentence waits for nobody', () => {
  expect(findRisks({ title: 'オルド外相が病院を視察', sentences: [] })).toEqual([])
})
