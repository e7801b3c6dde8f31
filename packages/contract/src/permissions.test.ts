import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  isStaff,
  may,
  mayActOn,
  objectionTo,
  PERMISSIONS,
  rankOf,
  scopeOf,
  type Action,
  type Actor,
} from './permissions.ts'

const ACTIONS = Object.keys(PERMISSIONS) as Action[]
const member: Actor = { email: 'hanzo@example.jp', isAdmin: false, moderates: null, secondFactorMissing: false }
const admin: Actor = { ...member, isAdmin: true }
const ofBoard: Actor = { ...member, moderates: 'all' }
const ofCategory: Actor = { ...member, moderates: ['general', 'economy'] }

const OF_MEMBERS: Action[] = ['keepAccount', 'keepNotebook', 'like']
const ANYWHERE: Action[] = ['enterAdministration', 'setUpSecondFactor']
const IN_CATEGORY: Action[] = [
  ...(['browse', 'seeWriters', 'decideReports', 'decideHeld', 'removePosts', 'removeThreads'] as const),
  ...(['changeThreads', 'ban', 'setShields', 'undo', 'writeAsStaff', 'writeFromBannedNetwork'] as const),
]
const ON_BOARD: Action[] = ['pinToBoard', 'banFromBoard', 'muteReporters', 'seeStaff']
const OF_MODERATORS: Action[] = [...OF_MEMBERS, ...ANYWHERE, ...IN_CATEGORY, ...ON_BOARD]
/** What waits for no second factor. */
const UNPROVEN = new Set<Action>([...OF_MEMBERS, 'setUpSecondFactor', 'writeFromBannedNetwork', 'writeWhileBanned'])

describe('what may be done in a category', () => {
  it.each<[string, Actor | null, readonly Action[]]>([
    ['a visitor', null, []],
    ['a member', member, OF_MEMBERS],
    ['a moderator of another category', { ...member, moderates: ['politics'] }, [...OF_MEMBERS, ...ANYWHERE]],
    ['a moderator of the category', ofCategory, [...OF_MEMBERS, ...ANYWHERE, ...IN_CATEGORY]],
    ['a moderator of the board', ofBoard, OF_MODERATORS],
    ['an administrator', admin, ACTIONS],
    ['a moderator of no category any more', { ...member, moderates: [] }, OF_MEMBERS],
    ['a moderator without a mail address', { ...ofBoard, email: null }, OF_MEMBERS],
    ['an administrator without a mail address', { ...admin, moderates: 'all', email: null }, OF_MEMBERS],
    [
      'a moderator without the second factor that is required',
      { ...ofBoard, secondFactorMissing: true },
      OF_MODERATORS.filter((action) => UNPROVEN.has(action)),
    ],
    ['an administrator without it', { ...admin, secondFactorMissing: true }, [...UNPROVEN]],
  ])('by %s', (_, actor, expected) => {
    const found = ACTIONS.filter((action) => may(actor, action, 'general'))
    expect(found.toSorted()).toEqual(expected.toSorted())
  })
})

it('on the whole board a moderator of some categories may nothing that is done in one', () => {
  for (const action of IN_CATEGORY) {
    expect([action, may(ofCategory, action), may(ofBoard, action)]).toEqual([action, false, true])
  }
})

it('docs/product.md shows the table', () => {
  const page = readFileSync(new URL('../../../docs/product.md', import.meta.url), 'utf8')
  const rows = page.matchAll(/^\| `(\w+)` \| [^|]+ \| (\w+) \| (\w+) \| (yes|no) \|$/gm)
  const shown = [...rows].map(([, action, who, where, counts]) => [
    action,
    { who, where, secondFactor: counts === 'yes' },
  ])
  expect(shown).toEqual(Object.entries(PERMISSIONS))
})

it('an objection says nothing of the place', () => {
  for (const action of ACTIONS) {
    const isOfAdmins = PERMISSIONS[action].who === 'admin'
    const isOfMembers = OF_MEMBERS.includes(action)
    const isUnproven = UNPROVEN.has(action)
    expect([
      action,
      objectionTo(null, action),
      objectionTo(member, action),
      objectionTo(ofCategory, action),
      objectionTo({ ...admin, secondFactorMissing: true }, action),
      objectionTo(admin, action),
    ]).toEqual([
      action,
      'unauthorized',
      isOfMembers ? null : 'forbidden',
      isOfAdmins ? 'forbidden' : null,
      isUnproven ? null : 'second_factor_missing',
      null,
    ])
  }
})

it('a user whom a browser remembers without the role of moderators is no staff', () => {
  const { moderates: _, ...remembered } = member
  expect(isStaff(remembered as Actor)).toBe(false)
})

it('administrators moderate the whole board, whatever their role as moderators is', () => {
  expect(scopeOf({ ...admin, moderates: ['general'] })).toBe('all')
})

it('each acts on those below alone', () => {
  const ladder = [member, ofCategory, ofBoard, admin]
  for (const [index, actor] of ladder.entries()) {
    expect(ladder.map((target) => mayActOn(actor, rankOf(target)))).toEqual(ladder.map((_, below) => below < index))
  }
  expect(mayActOn(ofBoard, rankOf({ ...admin, email: null }))).toBe(false)
})
