/**
 * Every message of errors and of limits, in Japanese, for both ends. Those that
 * docs/product.md#messages lists are fixed, letter for letter.
 */
export * from './accounts.ts'
export * from './administration.ts'
export * from './gateway.ts'
export * from './general.ts'
export * from './levels.ts'
export * from './lists.ts'
export * from './owners.ts'
export * from './posts.ts'
export * from './push.ts'
