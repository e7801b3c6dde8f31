import { RULE_KEYS, RULES, type RuleKey } from '@shinobi/contract/rules'
import { readStored, writeStored } from '../../lib/storage.ts'

export const RULE_CHOICES = RULE_KEYS.map((key) => ({ key, label: RULES[key] }))

const KEY = 'lastRule'
/** The most common rule. */
const USUAL: RuleKey = 'disturb'

export const isRule = (value: string | null): value is RuleKey => value !== null && value in RULES

/** The rule chosen last in this tab: a raid breaks one rule many times. */
export function lastRule(): RuleKey {
  const stored = readStored(KEY, 'sessionStorage')
  return isRule(stored) ? stored : USUAL
}

export const rememberRule = (rule: RuleKey): void => writeStored(KEY, rule, 'sessionStorage')
