/** Who may do what, and where. Routes, services and the web app ask here, so that they agree. */
import { isStaff, scopeOf, type Standing } from './standing.ts'

export { isStaff, scopeOf, type Scope, type Standing } from './standing.ts'

/** Who acts: the member of a session. */
export interface Actor extends Standing {
  /** Has to set up a second factor before acting as staff. */
  readonly secondFactorMissing: boolean
}

interface Permission {
  /** The least role: administrators moderate the whole board, and moderators are members. */
  readonly who: 'member' | 'moderator' | 'admin'
  /** What a moderator has to moderate: the category of the target, the whole board, or any part. */
  readonly where: 'category' | 'board' | 'anywhere'
  /** Whether the action waits for a second factor that is required of the actor. */
  readonly secondFactor: boolean
}

/** Every action that is not open to everybody. docs/product.md#permissions shows the same table. */
export const PERMISSIONS = {
  keepAccount: { who: 'member', where: 'anywhere', secondFactor: false },
  keepNotebook: { who: 'member', where: 'anywhere', secondFactor: false },
  like: { who: 'member', where: 'anywhere', secondFactor: false },

  enterAdministration: { who: 'moderator', where: 'anywhere', secondFactor: true },
  setUpSecondFactor: { who: 'moderator', where: 'anywhere', secondFactor: false },

  browse: { who: 'moderator', where: 'category', secondFactor: true },
  seeWriters: { who: 'moderator', where: 'category', secondFactor: true },
  decideReports: { who: 'moderator', where: 'category', secondFactor: true },
  decideHeld: { who: 'moderator', where: 'category', secondFactor: true },
  removePosts: { who: 'moderator', where: 'category', secondFactor: true },
  removeThreads: { who: 'moderator', where: 'category', secondFactor: true },
  changeThreads: { who: 'moderator', where: 'category', secondFactor: true },
  ban: { who: 'moderator', where: 'category', secondFactor: true },
  setShields: { who: 'moderator', where: 'category', secondFactor: true },
  undo: { who: 'moderator', where: 'category', secondFactor: true },
  writeAsStaff: { who: 'moderator', where: 'category', secondFactor: true },
  writeFromBannedNetwork: { who: 'moderator', where: 'category', secondFactor: false },

  pinToBoard: { who: 'moderator', where: 'board', secondFactor: true },
  banFromBoard: { who: 'moderator', where: 'board', secondFactor: true },
  muteReporters: { who: 'moderator', where: 'board', secondFactor: true },
  seeStaff: { who: 'moderator', where: 'board', secondFactor: true },

  seeDashboard: { who: 'admin', where: 'board', secondFactor: true },
  seeMembers: { who: 'admin', where: 'board', secondFactor: true },
  changeRoles: { who: 'admin', where: 'board', secondFactor: true },
  editCategories: { who: 'admin', where: 'board', secondFactor: true },
  editWords: { who: 'admin', where: 'board', secondFactor: true },
  orderIpLogging: { who: 'admin', where: 'board', secondFactor: true },
  runNews: { who: 'admin', where: 'board', secondFactor: true },
  changeSettings: { who: 'admin', where: 'board', secondFactor: true },
  readAuditLog: { who: 'admin', where: 'board', secondFactor: true },
  liftOwnBan: { who: 'admin', where: 'board', secondFactor: true },
  writeWhileBanned: { who: 'admin', where: 'board', secondFactor: false },
} as const satisfies Record<string, Permission>

export type Action = keyof typeof PERMISSIONS

/** Whether an action is for moderators or administrators. */
export const isForStaff = (action: Action): boolean => PERMISSIONS[action].who !== 'member'

/**
 * Why the role or the second factor of the actor forbids an action; null if neither does. The place
 * is not judged: routes and menus ask before they know it.
 * @param actor null for a visitor who is not logged in
 */
export function objectionTo(
  actor: Actor | null,
  action: Action,
): 'unauthorized' | 'forbidden' | 'second_factor_missing' | null {
  const { who, secondFactor }: Permission = PERMISSIONS[action]
  if (actor === null) return 'unauthorized'
  if (who === 'member') return null
  if (!isStaff(actor) || (who === 'admin' && !actor.isAdmin)) return 'forbidden'
  return secondFactor && actor.secondFactorMissing ? 'second_factor_missing' : null
}

/**
 * Whether somebody may do something there.
 * @param categoryId where an action in a category is done; null for the whole board
 */
export function may(actor: Actor | null, action: Action, categoryId: string | null = null): boolean {
  if (actor === null || objectionTo(actor, action) !== null) return false
  const { where }: Permission = PERMISSIONS[action]
  const scope = scopeOf(actor)
  if (where === 'anywhere' || scope === 'all') return true
  return where === 'category' && scope !== null && categoryId !== null && scope.includes(categoryId)
}

/** Members, moderators of some categories, of the whole board, administrators. */
export function rankOf(standing: Standing): number {
  // Also without a mail address: they get their role back with it.
  if (standing.isAdmin) return 3
  const scope = scopeOf(standing)
  return scope === null ? 0 : scope === 'all' ? 2 : 1
}

/**
 * Whether the actor may ban or mute a person of that rank: only those below them
 * (docs/decisions/0037-whom-moderators-act-on.md).
 */
export const mayActOn = (actor: Standing, rank: number): boolean => rankOf(actor) > rank
