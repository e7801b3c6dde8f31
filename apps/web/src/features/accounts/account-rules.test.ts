import { email, password, username } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findEmailProblem, findNameProblem, findPasswordProblem, findRegisterProblem } from './account-rules.ts'

const pieces = (...parts: string[]) =>
  fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 30 })

test.each([
  ['names', findNameProblem, username, pieces('忍', 'a', ' ', '　', '@', '＠', '◆', '\u202e', 'か\u3099', '👨‍👩‍👧')],
  ['mail addresses', findEmailProblem, email, pieces('a', '@', '.', ' ', 'jp', 'い', '"', '\u200b')],
  ['passwords', findPasswordProblem, password, pieces('password', 'あ', '👨‍👩‍👧', 'x'.repeat(50))],
] as const)('%s are accepted and refused exactly as on the server', (_title, find, schema, parts) => {
  fc.assert(
    fc.property(parts, (typed) => {
      const text = typed.join('')
      const judged = schema.safeParse(text)
      expect(find(text) === null).toBe(judged.success)
      if (!judged.success) expect(judged.error.issues.map(({ message }) => message)).toContain(find(text))
    }),
    { numRuns: 2_000 },
  )
})

test('all missing fields are reported before an invalid one, the first of them first', () => {
  const typed = { username: '楓', email: 'kaede@example', password: '' }
  const message = '全てのフィールドを入力してください'
  expect(findRegisterProblem(typed)).toEqual({ fields: ['password'], message })
  expect(findRegisterProblem({ ...typed, username: '' })).toEqual({ fields: ['username', 'password'], message })
  expect(findRegisterProblem({ ...typed, password: 'x' })).toEqual({
    fields: ['email'],
    message: messages.email_invalid,
  })
  expect(findRegisterProblem({ ...typed, email: 'k@example.jp', password: 'x' })).toEqual({
    fields: ['username'],
    message: messages.username_length,
  })
  expect(findRegisterProblem({ username: '楓の葉', email: 'k@example.jp', password: 'kaede-no-ha' })).toBeNull()
})
