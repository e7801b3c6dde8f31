import { useEffect, type RefObject } from 'react'

declare global {
  interface Window {
    /** The form that was sent before the script heard it: boot.js kept it from leaving the page. */
    earlyForm?: HTMLFormElement
  }
}

/** Sends a form that the visitor sent before the script heard it, once it is `ready`. The form has to say method="post". */
export function useEarlySubmit(form: RefObject<HTMLFormElement | null>, ready = true): void {
  useEffect(() => {
    if (!ready || form.current === null || form.current !== window.earlyForm) return
    delete window.earlyForm
    form.current.requestSubmit()
  }, [form, ready])
}
