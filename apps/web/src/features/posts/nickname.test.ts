import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type * as Nickname from './nickname.ts'

const stored = new Map<string, string>()
let setItem: (key: string, value: string) => void
let names: typeof Nickname

beforeEach(async () => {
  stored.clear()
  setItem = (key, value) => void stored.set(key, value)
  const area = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => setItem(key, value),
  }
  vi.stubGlobal('localStorage', area)
  vi.stubGlobal('sessionStorage', area)
  // The state is kept in the module.
  vi.resetModules()
  names = await import('./nickname.ts')
})
afterEach(() => vi.unstubAllGlobals())

const elder = { name: '老中', key: '鍵', trip: null }
const known = { ...elder, trip: 'Ab1cD2' }

test('a post that waits finds its key whether or not the tripcode was known when it was written', () => {
  names.chooseName('t', elder)
  expect(names.nameWithKey('t', '老中')).toEqual(elder)
  names.chooseName('t', known)
  expect(names.nameWithKey('t', '老中')).toEqual(known)
  expect(names.nameWithKey('t', '老中◆Ab1cD2')).toEqual(known)
})
test('the key of another name in the thread is not taken for it, that of the same name in another thread is', () => {
  names.chooseName('t', known)
  names.chooseName('t', { name: '忍', key: '別', trip: 'Zz9' })
  expect(names.nameWithKey('t', '老中◆Ab1cD2')).toBeUndefined()
  names.chooseName('u', known)
  expect(names.nameWithKey('t', '老中◆Ab1cD2')).toEqual(known)
})
test('the key is found where nothing can be stored', () => {
  setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  names.chooseName('t', known)
  expect(names.nameWithKey('t', '老中◆Ab1cD2')).toEqual(known)
})
