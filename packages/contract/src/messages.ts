import type * as texts from './messages/all.ts'

/**
 * The catalogue under one name. It is a namespace, so that the browser's build leaves out messages
 * that no screen uses.
 */
export * as messages from './messages/all.ts'

/** A message that needs no argument. */
export type MessageKey = {
  [K in keyof typeof texts]: (typeof texts)[K] extends string ? K : never
}[keyof typeof texts]
