import { asOf, mergeHiding, type HidingEntry } from '@shinobi/contract/hiding-entry'
import { HIDING_RULES_MAX } from '@shinobi/contract/limits'
import fc from 'fast-check'
import { beforeEach, expect, test, vi } from 'vitest'
import { queueChangesFor } from '../../lib/followed-member.ts'
import {
  addRule,
  adoptEntries,
  hidingRules,
  queueAllRules,
  removeRule,
  settleTimes,
  uniteRules,
  type HidingRule,
} from './rules.ts'
import { dropWaiting, emptyWaiting, readWaiting } from './waiting.ts'

const NOW = Date.parse('2026-11-23T12:00:00Z')
const MEMBER = '01900000-0000-7000-8000-000000000001'

const createStorage = (): Storage =>
  Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key]
    },
  }) as Storage

const useDevice = (storage: Storage) => vi.stubGlobal('localStorage', storage)

beforeEach(() => {
  useDevice(createStorage())
  vi.stubGlobal('dispatchEvent', () => true)
  queueChangesFor(null)
})

const word = (text: string, more: Partial<HidingRule> = {}): HidingRule => ({
  id: text,
  kind: 'word',
  text,
  threadId: null,
  chain: false,
  traceless: false,
  endsAt: null,
  createdAt: NOW,
  ...more,
})
const plain = { chain: false, traceless: false, endsAt: null }
const told = (text: string, changedAt: number, traits: HidingEntry['traits'] = plain): HidingEntry => ({
  kind: 'word',
  text,
  threadId: null,
  traits,
  changedAt,
})
const remove = (text: string, now: number) => removeRule(hidingRules().find((rule) => rule.text === text)!.id, now)
const texts = () => hidingRules().map(({ text }) => text)

test('what is changed without an account, and what a file brings, waits for nobody', () => {
  addRule(word('宣伝'), NOW)
  queueChangesFor(MEMBER)
  uniteRules([word('荒らし')], NOW)
  expect(texts()).toEqual(['荒らし', '宣伝'])
  expect(readWaiting(MEMBER)).toEqual([])
  queueAllRules(MEMBER, NOW)
  expect(readWaiting(MEMBER).map(({ text }) => text)).toEqual(expect.arrayContaining(['荒らし', '宣伝']))
})

test('what a member changes waits for that account alone, and the last change of a rule is what is sent', () => {
  queueChangesFor(MEMBER)
  addRule(word('宣伝'), NOW)
  addRule(word('荒らし', { chain: true }), NOW)
  remove('宣伝', NOW)
  queueChangesFor('another')
  addRule(word('別の人'), NOW)
  expect(readWaiting(MEMBER)).toMatchObject([
    { text: '宣伝', traits: null },
    { text: '荒らし', traits: { chain: true } },
  ])
  expect(readWaiting('another')).toMatchObject([{ text: '別の人' }])
  emptyWaiting('another')
  expect(readWaiting('another')).toEqual([])
  expect(readWaiting(MEMBER)).toHaveLength(2)
})

test('what changed while it was sent is sent again', () => {
  queueChangesFor(MEMBER)
  addRule(word('宣伝'), NOW)
  const sent = readWaiting(MEMBER)
  remove('宣伝', NOW)
  dropWaiting(MEMBER, sent)
  expect(readWaiting(MEMBER)).toMatchObject([{ text: '宣伝', traits: null }])
  dropWaiting(MEMBER, readWaiting(MEMBER))
  expect(readWaiting(MEMBER)).toEqual([])
})

test('the newest change counts, also against what waits to be sent', () => {
  queueChangesFor(MEMBER)
  addRule(word('宣伝'), NOW)
  adoptEntries(MEMBER, [told('宣伝', NOW - 5, null), told('荒らし', NOW - 5)], NOW)
  expect(texts()).toEqual(['荒らし', '宣伝'])
  remove('荒らし', NOW)
  adoptEntries(MEMBER, [told('荒らし', NOW - 4, { ...plain, chain: true })], NOW)
  expect(texts()).toEqual(['宣伝'])
  adoptEntries(MEMBER, [told('宣伝', NOW + 5, null), told('古い', NOW + 5, { ...plain, endsAt: NOW })], NOW)
  expect(texts()).toEqual([])
})

test('a rule that is made again wins over its removal, also on a device whose clock is behind', () => {
  queueChangesFor(MEMBER)
  adoptEntries(MEMBER, [told('宣伝', NOW)], NOW - 1e6)
  remove('宣伝', NOW - 1e6)
  const [removal] = readWaiting(MEMBER)
  expect(removal!.changedAt).toBeGreaterThan(NOW)
  dropWaiting(MEMBER, [removal!])
  addRule(word('宣伝'), NOW - 1e6)
  adoptEntries(MEMBER, [removal!], NOW - 1e6)
  expect(texts()).toEqual(['宣伝'])
})

test('a rule of a clock that is ahead gets the time of the server, so that others can remove it', () => {
  queueChangesFor(MEMBER)
  addRule(word('宣伝'), NOW + 1e9)
  const sent = readWaiting(MEMBER)
  settleTimes(sent, NOW)
  dropWaiting(MEMBER, sent)
  adoptEntries(MEMBER, [told('宣伝', NOW + 1, null)], NOW + 1e9)
  expect(texts()).toEqual([])
})

test('beyond the limit the oldest rule goes, everywhere, and no rule of an account takes the place of one here', () => {
  queueChangesFor(MEMBER)
  for (let index = 0; index <= HIDING_RULES_MAX; index += 1) addRule(word(`言葉${index}`), NOW + index)
  expect(hidingRules()).toHaveLength(HIDING_RULES_MAX)
  expect(readWaiting(MEMBER)[0]).toMatchObject({ text: '言葉0', traits: null })
  adoptEntries(MEMBER, [told('よその言葉', NOW)], NOW + 1_000)
  expect(hidingRules()).toHaveLength(HIDING_RULES_MAX)
  expect(texts()).not.toContain('よその言葉')
  remove('言葉1', NOW + 1_000)
  adoptEntries(MEMBER, [told('よその言葉', NOW)], NOW + 1_000)
  expect(texts()).toContain('よその言葉')
})

test('two devices end alike, with the last change of each rule, whenever they meet the account', () => {
  const step = fc.record({
    device: fc.constantFrom(0, 1),
    does: fc.constantFrom('add', 'remove', 'sync'),
    text: fc.constantFrom('宣伝', '荒らし', '影丸'),
    chain: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      queueChangesFor(MEMBER)
      const devices = [createStorage(), createStorage()]
      const last = new Map<string, boolean | null>()
      let account: readonly HidingEntry[] = []
      const sync = (now: number) => {
        const waiting = readWaiting(MEMBER)
        account = mergeHiding(account, waiting).map((entry) => asOf(entry, now))
        dropWaiting(MEMBER, waiting)
        adoptEntries(MEMBER, account, now)
      }
      steps.forEach(({ device, does, text, chain }, index) => {
        const now = NOW + index
        useDevice(devices[device]!)
        if (does === 'sync') sync(now)
        else if (does === 'add') {
          addRule(word(text, { chain }), now)
          last.set(text, chain)
        } else if (texts().includes(text)) {
          remove(text, now)
          last.set(text, null)
        }
      })
      const found = [0, 1, 0].map((device) => {
        useDevice(devices[device]!)
        sync(NOW + 100)
        return hidingRules().map(({ text, chain }) => [text, chain] as const)
      })
      const expected = [...last].filter(([, chain]) => chain !== null)
      for (const rules of found.slice(1)) expect(new Map(rules)).toEqual(new Map(expected))
    }),
  )
})
