/**
 * What a visitor chose under 表示. Each choice is an attribute on <html> and is stored in local
 * storage under the same name; the first value is the default, which is neither set nor stored.
 */
import { useSyncExternalStore } from 'react'
import { onRootAttribute, rootAttribute, setRootAttribute } from '../../lib/root-attributes.ts'

export interface Display {
  /** Size of all text, in relation to the browser's own. */
  text: 'medium' | 'small' | 'large' | 'huge'
  theme: 'system' | 'night' | 'paper'
  density: 'compact' | 'roomy'
  images: 'show' | 'blur' | 'hide'
  /** What sends a text, on keyboards with Ctrl. */
  send: 'enter' | 'mod'
  /** Keys of one letter (reading-keys.tsx, and the desks of moderators). */
  keys: 'on' | 'off'
}

const DEFAULTS: Readonly<Display> = {
  text: 'medium',
  theme: 'system',
  density: 'compact',
  images: 'show',
  send: 'enter',
  keys: 'on',
}

export const readDisplay = <Name extends keyof Display>(name: Name) =>
  (rootAttribute(name) ?? DEFAULTS[name]) as Display[Name]

export const choose = <Name extends keyof Display>(name: Name, value: Display[Name]): void =>
  setRootAttribute(name, value === DEFAULTS[name] ? null : value)

/** The current choice; the default in the rendered page and during hydration. */
export const useDisplay = <Name extends keyof Display>(name: Name): Display[Name] =>
  useSyncExternalStore(
    onRootAttribute,
    () => readDisplay(name),
    () => DEFAULTS[name],
  )
