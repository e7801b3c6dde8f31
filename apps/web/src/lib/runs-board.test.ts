import type { User } from '@shinobi/contract/accounts'
import { describe, expect, it } from 'vitest'
import { mayWriteAsStaff } from './runs-board.ts'

const member: User = {
  ...{ _id: '1', name: '半蔵', email: 'hanzo@example.jp', picture: null },
  ...{ isAdmin: false, moderates: null, secondFactorMissing: false },
}

describe('who may write as staff', () => {
  it.each<[string, User | null, boolean]>([
    ['a stranger', null, false],
    ['a member', member, false],
    ['an administrator', { ...member, isAdmin: true }, true],
    ['an administrator without a mail address', { ...member, isAdmin: true, email: null }, false],
    [
      'an administrator without the second factor that is asked for',
      { ...member, isAdmin: true, secondFactorMissing: true },
      false,
    ],
    ['a moderator of the board', { ...member, moderates: 'all' }, true],
    ['a moderator of the category', { ...member, moderates: ['general'] }, true],
    ['a moderator of another', { ...member, moderates: ['politics'] }, false],
  ])('is judged for %s', (_, user, may) => {
    expect(mayWriteAsStaff(user, 'general')).toBe(may)
  })
})
