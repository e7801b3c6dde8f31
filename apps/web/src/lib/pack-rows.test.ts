import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRows, unpackRows } from './pack-rows.ts'

const travel = (value: unknown): unknown => unpackRows(JSON.parse(JSON.stringify(packRows(value))))

test('a list with common, counted, missing and nested fields is unpacked as it was', () => {
  const rows = [
    { _id: 'a', number: 7, name: null, staff: true, image: { width: 1 }, tags: [] },
    { _id: 'b', number: 8, name: null, image: { width: 1 }, tags: ['x'] },
    { _id: 'c', number: 9, name: null, image: null, tags: [{ a: 1 }, { a: 1 }, { a: 1 }] },
  ]
  expect(travel({ pages: [rows], pageParams: [{ after: 0 }] })).toEqual({ pages: [rows], pageParams: [{ after: 0 }] })
})

test('a packed list names each field once', () => {
  const rows = Array.from({ length: 50 }, (_, row) => ({ number: row + 1, deleted: false, content: `text ${row}` }))
  const text = JSON.stringify(packRows(rows))
  expect(text.match(/content/g)).toHaveLength(1)
  expect(text).not.toContain('false,false')
})

test('rows do not share nested objects', () => {
  const [one, other] = travel([{ image: { width: 1 } }, { image: { width: 1 } }, { image: { width: 1 } }]) as {
    image: object
  }[]
  expect(one!.image).not.toBe(other!.image)
})

test('any data is unpacked as it was', () => {
  const field = fc.constantFrom('_id', 'number', 'name', 'content')
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.oneof(fc.constant(null), fc.boolean(), fc.integer(), fc.string()),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(field, tie('value'), { noNullPrototype: true }),
      fc.array(fc.dictionary(field, tie('value'), { noNullPrototype: true }), { maxLength: 6 }),
    ),
  }))
  fc.assert(
    fc.property(value, (data) => {
      expect(travel(data)).toEqual(JSON.parse(JSON.stringify(data)))
    }),
  )
})
