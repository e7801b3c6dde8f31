import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'

/** Where the rules are stored. */
export const RULES_KEY = 'hiding'

/** Tells the listeners of this tab. */
export const announceRules = (): void => announceStored(RULES_KEY)

/** Subscribes to changes in this tab and in others. */
export const subscribeRules = (listener: () => void): (() => void) => subscribeStored(RULES_KEY, listener)
