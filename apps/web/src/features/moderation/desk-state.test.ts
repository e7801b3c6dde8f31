import fc from 'fast-check'
import { expect, test } from 'vitest'
import { arrive, bringBack, emptyDesk, select, settle, step, take, type DeskState } from './desk-state.ts'

const keyOf = (item: string) => item
const desk = (...items: string[]): DeskState<string> => arrive(emptyDesk<string>(), items, keyOf)

test('the first item is current, and the keys move forward and back and stop at the ends', () => {
  const start = desk('a', 'b', 'c')
  expect(start.current).toBe('a')
  expect(step(start, -1, keyOf).current).toBe('a')
  expect(step(step(step(start, 1, keyOf), 1, keyOf), 1, keyOf).current).toBe('c')
})

test('a decision removes the item at once and selects the next one, or the previous one at the end', () => {
  const middle = take(select(desk('a', 'b', 'c'), 'b', keyOf), 'b', keyOf)
  expect([middle.items, middle.current]).toEqual([['a', 'c'], 'c'])
  const end = take(middle, 'c', keyOf)
  expect([end.items, end.current]).toEqual([['a'], 'a'])
  expect(take(end, 'a', keyOf).current).toBeNull()
})

test('a list older than a decision does not restore the item; a new report does', () => {
  const sending = take(desk('a', 'b'), 'a', keyOf)
  expect(arrive(sending, ['a', 'b'], keyOf).items).toEqual(['b'])
  const done = settle(sending, 'a')
  expect(arrive(done, ['a', 'b'], keyOf).items).toEqual(['b'])
  const known = arrive(done, ['b'], keyOf)
  expect(arrive(known, ['a', 'b'], keyOf).items).toEqual(['a', 'b'])
})

test('new items never replace the current one, however the order changes', () => {
  const front = select(desk('a', 'b', 'c'), 'b', keyOf)
  const moved = arrive(front, ['x', 'c', 'b', 'a'], keyOf)
  expect([moved.current, moved.gone, moved.items]).toEqual(['b', null, ['x', 'c', 'b', 'a']])
})

test('an item that another moderator decided stays current, marked as decided, until it is left', () => {
  const front = select(desk('a', 'b', 'c'), 'b', keyOf)
  const gone = arrive(front, ['a', 'c'], keyOf)
  expect([gone.items, gone.current, gone.gone]).toEqual([['a', 'b', 'c'], 'b', 'b'])
  const left = step(gone, 1, keyOf)
  expect([left.items, left.current, left.gone]).toEqual([['a', 'c'], 'c', null])
})

test('a failed decision restores the item at its place with the error, without selecting it', () => {
  const taken = take(desk('a', 'b', 'c'), 'a', keyOf)
  const back = bringBack(taken, 'a', 0, '通信エラー', keyOf)
  expect([back.items, back.current, back.problems.get('a')]).toEqual([['a', 'b', 'c'], 'b', '通信エラー'])
  const alone = bringBack(take(desk('a'), 'a', keyOf), 'a', 0, '通信エラー', keyOf)
  expect(alone.current).toBe('a')
  expect(take(back, 'a', keyOf).problems.has('a')).toBe(false)
})

test('after any events no item is there twice, and a non-empty desk has a current item', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd')
  const event = fc.oneof(
    fc.record({ kind: fc.constant('arrive' as const), list: fc.uniqueArray(key) }),
    fc.record({ kind: fc.constant('take' as const), key }),
    fc.record({ kind: fc.constant('settle' as const), key }),
    fc.record({ kind: fc.constant('back' as const), key, at: fc.nat(4) }),
    fc.record({ kind: fc.constant('step' as const), by: fc.constantFrom(1 as const, -1 as const) }),
  )
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let state = emptyDesk<string>()
      for (const one of events) {
        if (one.kind === 'arrive') state = arrive(state, one.list, keyOf)
        else if (one.kind === 'take') state = take(state, one.key, keyOf)
        else if (one.kind === 'settle') state = settle(state, one.key)
        else if (one.kind === 'back') state = bringBack(state, one.key, one.at, null, keyOf)
        else state = step(state, one.by, keyOf)
        expect(new Set(state.items).size).toBe(state.items.length)
        if (state.items.length === 0) expect(state.current).toBeNull()
        else expect(state.items).toContain(state.current)
        if (state.gone !== null) expect(state.gone).toBe(state.current)
      }
    }),
  )
})
