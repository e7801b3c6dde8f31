/**
 * Converts settings to text in fields, and back. Only changed values are sent, so that two
 * administrators at the same time do not overwrite each other.
 */
import { bannerWords, findComplaint } from '@shinobi/contract/complaints'
import { messages } from '@shinobi/contract/messages'
import { BANNER, SETTING_RANGES } from '@shinobi/contract/staff-limits'
import type { BoardSettings, SettingsChange } from '@shinobi/contract/settings'
import { cleanBody } from '@shinobi/contract/text'

export type NumberSetting = {
  [K in keyof BoardSettings]: BoardSettings[K] extends number ? K : never
}[keyof BoardSettings]
export type StepSetting = 'shieldPostsPerMinute' | 'shieldThreadsPerMinute'
export type SwitchSetting = {
  [K in keyof BoardSettings]: BoardSettings[K] extends boolean ? K : never
}[keyof BoardSettings]
export type Setting = keyof BoardSettings

/** Texts for all visitors. */
const TEXTS = ['bannerText', 'readOnlyText'] as const
type TextSetting = (typeof TEXTS)[number]

/** Contents of the fields. */
export type SettingFields = Record<NumberSetting | TextSetting, string> &
  Record<StepSetting, readonly string[]> &
  Record<SwitchSetting, boolean>

export function toFields(settings: BoardSettings): SettingFields {
  const fields = Object.entries(settings).map(([name, value]) => {
    if (typeof value === 'number') return [name, String(value)]
    return [name, Array.isArray(value) ? value.map(String) : value]
  })
  return Object.fromEntries(fields) as SettingFields
}

/**
 * A whole number as typed: full-width digits, separators and spaces around it are accepted. NaN for
 * anything else.
 */
export function readNumber(text: string): number {
  const plain = text.normalize('NFKC').replaceAll(/[\s,]/g, '')
  return /^\d{1,9}$/.test(plain) ? Number(plain) : Number.NaN
}

function findNumberProblem(value: number, name: keyof typeof SETTING_RANGES): string | null {
  const [min, max] = SETTING_RANGES[name]
  return value >= min && value <= max ? null : messages.setting_range(min, max)
}

export interface Reading {
  /** The values that differ. */
  change: SettingsChange
  /** Why some cannot be stored. */
  problems: Partial<Record<Setting, string>>
}

/** Compares the fields with the stored values. */
export function readFields(fields: SettingFields, stored: BoardSettings): Reading {
  const change: Record<string, unknown> = {}
  const problems: Reading['problems'] = {}
  for (const name of Object.keys(stored) as Setting[]) {
    const [value, problem] = readField(fields, name)
    if (problem !== null) problems[name] = problem
    else if (!equals(value, stored[name])) change[name] = value
  }
  return { change, problems }
}

function readField(fields: SettingFields, name: Setting): [value: unknown, problem: string | null] {
  if (isText(name)) {
    const text = cleanBody(fields[name])
    return [text, findComplaint(text, BANNER, 'body', bannerWords)]
  }
  if (name === 'shieldPostsPerMinute' || name === 'shieldThreadsPerMinute') {
    const steps = fields[name].map(readNumber)
    const wrong = steps.map((step) => findNumberProblem(step, name)).find((problem) => problem !== null)
    if (wrong !== undefined) return [steps, wrong]
    const rises = steps.every((step, index) => index === 0 || step > steps[index - 1]!)
    return [steps, rises ? null : messages.setting_rising]
  }
  if (isSwitch(fields, name)) return [fields[name], null]
  const value = readNumber(fields[name])
  return [value, findNumberProblem(value, name)]
}

const isText = (name: Setting): name is TextSetting => (TEXTS as readonly Setting[]).includes(name)
const isSwitch = (fields: SettingFields, name: Setting): name is SwitchSetting => typeof fields[name] === 'boolean'

const equals = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
