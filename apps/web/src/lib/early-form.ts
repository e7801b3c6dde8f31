/** A rendered form that the visitor filled, and perhaps submitted, before hydration. */
import { useEffect, type RefObject } from 'react'

declare global {
  interface Window {
    /**
     * The form that the visitor submitted before hydration: boot.js cancelled its native
     * submission.
     */
    earlyForm?: HTMLFormElement
  }
}

/** Fields by name. */
export type EarlyFields = Readonly<Record<string, { text: string; multiline: boolean }>>

/** The fields whose values differ from the rendered ones. */
export function readEarlyFields(form: HTMLFormElement): EarlyFields {
  const fields: Record<string, { text: string; multiline: boolean }> = {}
  for (const field of form.elements) {
    if (field instanceof HTMLSelectElement) {
      // A list that was rendered in the browser has no default choice of the server to compare
      // with.
      const rendered = Array.from(field.options).find((option) => option.defaultSelected)
      if (rendered?.selected === false) fields[field.name] = { text: field.value, multiline: false }
    } else if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) {
      if (field.value === field.defaultValue) continue
      fields[field.name] = { text: field.value, multiline: field instanceof HTMLTextAreaElement }
    }
  }
  return fields
}

/** Cancels the pending submission; the visitor has to submit the form again. */
export function holdEarlySubmit(form: HTMLFormElement): void {
  if (window.earlyForm === form) delete window.earlyForm
}

/**
 * Submits a form that the visitor submitted too early, once it is `ready`: before hydration, or
 * after it while the form did not know yet what was typed until then. Until it knows, its onSubmit
 * must return without preventDefault(), so that boot.js keeps the submission. The form needs
 * method="post".
 */
export function useEarlySubmit(form: RefObject<HTMLFormElement | null>, ready = true): void {
  useEffect(() => {
    if (!ready || form.current === null || form.current !== window.earlyForm) return
    delete window.earlyForm
    form.current.requestSubmit()
  }, [form, ready])
}
