/** Scripts in apps/web/public import nothing: their constants are copies, which must not drift. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CHUNK_TIMEOUT_MS, PAGE_SIZE, UNSENT_ASK_AFTER_MS } from '@shinobi/contract/limits'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../apps/web', path), 'utf8')
const boot = read('public/boot.js')
const push = read('public/push.js')
const thread = read('public/thread.js')
const unsent = read('public/unsent.js')
const pushOfPages = read('src/features/watching/push.ts')
const storeOfPages = read('src/features/posts/unsent/unsent-store.ts')

/** The product that a script writes for a number, at one place. */
function numberIn(script: string, place: RegExp): number {
  const [, written = ''] = place.exec(script) ?? []
  return written.split('*').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
}
const textIn = (script: string, place: RegExp): string | undefined => place.exec(script)?.[1]

test('scripts that import nothing have the numbers and names of the pages', () => {
  expect(numberIn(boot, /window\.loseScript\(\), ([\d_]+)\)/)).toBe(CHUNK_TIMEOUT_MS)
  expect(numberIn(thread, /number > (\d+)/)).toBe(PAGE_SIZE)
  expect(numberIn(thread, /\(number - 1\) \/ (\d+)\) \* \d+/)).toBe(PAGE_SIZE)
  expect(numberIn(unsent, /ASK_AFTER_MS = ([\d_ *]+)/)).toBe(UNSENT_ASK_AFTER_MS)
  expect(textIn(unsent, /indexedDB\.open\('(\w+)', \d+\)/)).toBe(textIn(storeOfPages, /name: '(\w+)'/))
  expect(numberIn(unsent, /indexedDB\.open\('\w+', (\d+)\)/)).toBe(numberIn(storeOfPages, /version: (\d+)/))
  expect(textIn(unsent, /createObjectStore\('(\w+)'/)).toBe(textIn(storeOfPages, /STORE = '(\w+)'/))
  expect(textIn(push, /REGISTRATION = '([^']+)'/)).toBe(textIn(pushOfPages, /KEPT = '([^']+)'/))
})
