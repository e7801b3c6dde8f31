/**
 * The fields that differ from a former state. Forms send only these, so that two people who have
 * the same form open do not undo each other's changes.
 */
export const changedFields = <T extends object>(now: T, before: { readonly [Name in keyof T]?: unknown }): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before[name as keyof T])) as Partial<T>
