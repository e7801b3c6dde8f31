import type { RuleKind } from '@shinobi/contract/hiding-entry'
import { expect, test } from 'vitest'
import { createMatch, findHidden, isWithin, toDomain, type Subject } from './matcher.ts'
import { parseRules, rulesFor, type HidingRule } from './rules.ts'

const rule = (kind: RuleKind, text: string, more: Partial<HidingRule> = {}): HidingRule => ({
  id: `${kind}:${text}`,
  ...{ kind, text, threadId: null, chain: false, traceless: false, endsAt: null, createdAt: 0 },
  ...more,
})
const subject = (more: Partial<Subject>): Subject => ({
  name: '名無し',
  id: null,
  content: '',
  hosts: [],
  picture: null,
  ...more,
})
const hides = async (one: HidingRule, about: Partial<Subject>): Promise<boolean> =>
  (await createMatch([one]))(subject(about)) !== null

test('a word hides texts that contain it, whatever its width, case and kana', async () => {
  expect(await hides(rule('word', 'しゅりけん'), { content: 'ｼｭﾘｹﾝを投げる' })).toBe(true)
  expect(await hides(rule('word', 'ABC'), { content: 'ａｂｃの話' })).toBe(true)
  expect(await hides(rule('word', '手裏剣'), { content: '手裏の剣' })).toBe(false)
})

test('a word of invisible characters alone hides nothing', async () => {
  expect(await hides(rule('word', '​'), { content: '何か' })).toBe(false)
})

test('a name hides the whole name, not a part of it', async () => {
  expect(await hides(rule('name', '影丸'), { name: '影丸' })).toBe(true)
  expect(await hides(rule('name', '影'), { name: '影丸' })).toBe(false)
  expect(await hides(rule('name', '影丸'), { name: '名無し', content: '影丸' })).toBe(false)
})

test('an ID hides the posts that have it, letter for letter', async () => {
  expect(await hides(rule('id', 'k3x9pQ_a'), { id: 'k3x9pQ_a' })).toBe(true)
  expect(await hides(rule('id', 'k3x9pQ_a'), { id: 'K3X9pQ_a' })).toBe(false)
  expect(await hides(rule('id', 'k3x9pQ_a'), { content: 'k3x9pQ_a', name: 'k3x9pQ_a' })).toBe(false)
})

test('a domain hides links to it and below it', () => {
  expect(isWithin('www.example.com', 'example.com')).toBe(true)
  expect(isWithin('badexample.com', 'example.com')).toBe(false)
  expect(toDomain(' https://www.Example.com/a?b#c ')).toBe('example.com')
})

test('a pattern on which backtracking engines hang takes linear time', async () => {
  expect(await hides(rule('pattern', '(a+)+$'), { content: `${'a'.repeat(4_000)}b` })).toBe(false)
  expect(await hides(rule('pattern', '荒らし|^あ{2,}'), { content: 'ああああ' })).toBe(true)
})

test('an invalid pattern hides nothing', async () => {
  expect(await hides(rule('pattern', '(('), { content: '((' })).toBe(false)
})

test('a chain hides the answers to what is hidden, and their answers', async () => {
  const match = await createMatch([rule('word', '禁句', { chain: true })])
  const post = (number: number, content: string, ...answered: number[]) => ({
    number,
    answered,
    subject: subject({ content }),
  })
  const hidden = findHidden([post(1, '禁句'), post(2, '返す', 1), post(3, 'さらに', 2), post(4, '別の話')], match)
  expect([...hidden].map(([number, { answers }]) => [number, answers])).toEqual([
    [1, null],
    [2, 1],
    [3, 2],
  ])
})

test('a rule without a chain leaves the answers to what it hides', async () => {
  const match = await createMatch([rule('word', '禁句')])
  const posts = [
    { number: 1, answered: [], subject: subject({ content: '禁句' }) },
    { number: 2, answered: [1], subject: subject({ content: '返す' }) },
  ]
  expect([...findHidden(posts, match).keys()]).toEqual([1])
})

test('rules of another thread, and rules that have ended, do not apply', () => {
  const rules = [rule('word', 'a', { threadId: 't2' }), rule('word', 'b', { endsAt: 10 }), rule('word', 'c')]
  expect(rulesFor(rules, 't1', 11).map(({ text }) => text)).toEqual(['c'])
  expect(rulesFor(rules, 't2', 9).map(({ text }) => text)).toEqual(['a', 'b', 'c'])
})

test('stored rules that cannot be read are left out', () => {
  expect(parseRules('{')).toEqual([])
  expect(parseRules('{"a":1}')).toEqual([])
  const [read, ...others] = parseRules(
    JSON.stringify([null, 3, { kind: 'rune', id: 'x', text: 'y' }, rule('word', 'z')]),
  )
  expect(read).toEqual(rule('word', 'z'))
  expect(others).toEqual([])
})
