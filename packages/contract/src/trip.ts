/**
 * Tripcodes: `name#key` shows `name◆…`, where the part behind ◆ is computed from the key, so that
 * nobody without the key can write under it (apps/server/src/features/posters/trips.ts). Free of
 * zod, because the browser loads it with the form.
 */
import { findComplaint, nicknameWords } from './complaints.ts'
import { NICKNAME, TRIP_KEY } from './limits.ts'
import { messages } from './messages.ts'
import { cleanName } from './text.ts'

export interface NameWithKey {
  /** Empty for a key alone. */
  readonly name: string
  /** Null without one. */
  readonly key: string | null
}

/**
 * Splits what was typed as a name at its first # or ＃. The full-width sign counts as well: who
 * typed it by mistake would otherwise publish the key.
 */
export function splitName(typed: string): NameWithKey {
  const at = typed.search(/[#＃]/)
  if (at < 0) return { name: cleanName(typed), key: null }
  const key = typed.slice(at + 1).replace(/^＃/, '#')
  return { name: cleanName(typed.slice(0, at)), key: key === '' ? null : key }
}

/** The name as it is sent: cleaned, with its key as typed. */
export function cleanNameWithKey(typed: string): string {
  const { name, key } = splitName(typed)
  return key === null ? name : `${name}#${key}`
}

const keyWords = {
  blank: messages.trip_key_length,
  too_short: messages.trip_key_length,
  too_long: messages.trip_key_length,
}

/** The message for an invalid name or key; null for valid ones. A key needs no name. */
export function findNameComplaint(typed: string): string | null {
  const { name, key } = splitName(typed)
  const ofName = name === '' && key !== null ? null : findComplaint(name, NICKNAME, 'line', nicknameWords)
  return ofName ?? (key === null ? null : findComplaint(key, TRIP_KEY, 'line', keyWords))
}
