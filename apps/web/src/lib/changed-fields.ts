/**
 * The fields that differ from a former state; a list differs by its members. Forms send only these,
 * so that two people who have the same form open do not undo each other's changes.
 */
export const changedFields = <T extends object>(now: T, before: { readonly [Name in keyof T]?: unknown }): Partial<T> =>
  Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !equals(value, before[name as keyof T])),
  ) as Partial<T>

const equals = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
