import { expect, onTestFinished, test } from 'vitest'
import { newRecord } from '../reading/record.ts'
import { readRecord, updateRecord } from '../reading/store.ts'
import { notePosition } from './changes.ts'

test('a record remembers that its thread was removed, until it is restored', async () => {
  const before = { ...newRecord('a'), readThrough: 2, postCount: 4 }
  await updateRecord('a', () => before)
  onTestFinished(() => updateRecord('a', () => null))
  await notePosition({ _id: 'a', state: 'removed' })
  expect(await readRecord('a')).toEqual({ ...before, isGone: true })
  const thread = { title: '忍具', categoryId: 'c', postCount: 4 }
  await notePosition({ _id: 'a', state: 'open', ...thread, lastPostAt: new Date(9).toISOString() })
  const restored = await readRecord('a')
  expect(restored).toEqual({ ...before, ...thread, lastPostAt: 9 })
  await notePosition({ _id: 'b', state: 'removed' })
  expect(await readRecord('b')).toBeUndefined()
})
