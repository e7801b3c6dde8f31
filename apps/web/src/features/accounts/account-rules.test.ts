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

test('a missing field is reported before an invalid one, with the field to focus', () => {
  const typed = { username: '楓', email: 'kaede@example', password: '' }
  expect(findRegisterProblem(typed)).toEqual({ field: 'password', message: '全てのフィールドを入力してください' })
  expect(findRegisterProblem({ ...typed, password: 'x' })).toEqual({ field: 'email', message: messages.email_invalid })
  expect(findRegisterProblem({ ...typed, email: 'k@example.jp', password: 'x' })).toEqual({
    field: 'username',
    message: messages.username_length,
  })
  expect(findRegisterProblem({ username: '楓の葉', email: 'k@example.jp', password: 'kaede-no-ha' })).toBeNull()
})
