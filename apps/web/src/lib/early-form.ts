/** A form of a rendered page that the visitor filled, and may have sent, before the script heard it. */
import { useEffect, type RefObject } from 'react'

declare global {
  interface Window {
    /** The form that was sent before the script heard it: boot.js kept it from leaving the page. */
    earlyForm?: HTMLFormElement
  }
}

/** By the field's name. */
export type EarlyFields = Readonly<Record<string, { text: string; multiline: boolean }>>

/** The fields that are not as the server rendered them. */
export function readEarlyFields(form: HTMLFormElement): EarlyFields {
  const fields: Record<string, { text: string; multiline: boolean }> = {}
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) {
      // A list that the browser drew has no choice of the server's to differ from.
      const rendered = Array.from(field.options).find((option) => option.defaultSelected)
      if (rendered?.selected === false) fields[field.name] = { text: field.value, multiline: false }
    } else if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
      if (field.value === field.defaultValue) continue
      fields[field.name] = { text: field.value, multiline: field instanceof HTMLTextAreaElement }
    }
  }
  return fields
}

/** The form is not sent after all, until somebody sends it again. */
export function holdEarlySubmit(form: HTMLFormElement): void {
  if (window.earlyForm === form) delete window.earlyForm
}

/** Sends a form that the visitor sent before the script heard it, once it is `ready`. The form has to say method="post". */
export function useEarlySubmit(form: RefObject<HTMLFormElement | null>, ready = true): void {
  useEffect(() => {
    if (!ready || form.current === null || form.current !== window.earlyForm) return
    delete window.earlyForm
    form.current.requestSubmit()
  }, [form, ready])
}
