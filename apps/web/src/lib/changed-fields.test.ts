import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

test('the changed fields are those that have another value, or had none', () => {
  const steps = ['1', '2', '3']
  const before = { name: '今夜', steps, limit: null, active: true }
  expect(changedFields({ name: '今夜は点検', steps, limit: 200, active: true }, before)).toEqual({
    name: '今夜は点検',
    limit: 200,
  })
  expect(changedFields({ readOnly: false, name: '今夜' }, { name: '今夜' })).toEqual({ readOnly: false })
})

test('a list with the same members is unchanged', () => {
  const before = { allow: ['鎖鎌術'], note: '' }
  expect(changedFields({ allow: ['鎖鎌術'], note: '' }, before)).toEqual({})
  expect(changedFields({ allow: [], note: '' }, before)).toEqual({ allow: [] })
})
