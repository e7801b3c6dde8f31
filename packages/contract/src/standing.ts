/**
 * Who is staff. Apart from permissions.ts, because every page asks this, and few need the table of
 * actions.
 */

/** The part of the board that somebody moderates: all of it, or categories by id. */
export type Scope = 'all' | readonly string[]

/** What makes somebody staff: a role, and a mail address (docs/product.md#people). */
export interface Standing {
  readonly email: string | null
  readonly isAdmin: boolean
  /** The role alone: null for none. `scopeOf` says what follows from it. */
  readonly moderates: Scope | null
}

/** The part of the board that somebody moderates; null for who is not staff. */
export function scopeOf({ email, isAdmin, moderates }: Standing): Scope | null {
  if (email === null) return null
  if (isAdmin) return 'all'
  // A browser may remember a user of a version without moderators: then it is undefined.
  return moderates == null || moderates.length === 0 ? null : moderates
}

/** Whether somebody is an administrator, or moderates any part of the board. */
export const isStaff = (standing: Standing): boolean => scopeOf(standing) !== null
