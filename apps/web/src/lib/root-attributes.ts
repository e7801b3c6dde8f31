/**
 * Settings of this browser are attributes on <html>, which the style sheets read: public/boot.js
 * sets them from local storage before the first paint, and again when another tab changes them.
 */
import { writeStored } from './storage.ts'

/** The value of `data-{name}`; undefined where the setting was not changed. */
export const rootAttribute = (name: string): string | undefined => document.documentElement.dataset[name]

/** Sets `data-{name}` and stores it; null is the default, which is not stored. */
export function setRootAttribute(name: string, value: string | null): void {
  if (value === null) delete document.documentElement.dataset[name]
  else document.documentElement.dataset[name] = value
  writeStored(name, value)
}

/** Calls the listener when an attribute has changed, whoever changed it. */
export function onRootAttribute(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributes: true })
  return () => observer.disconnect()
}
