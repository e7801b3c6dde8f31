/**
 * The field with an unfinished input method composition. A script that writes into it meanwhile
 * breaks the text.
 */
let field: EventTarget | null = null

if (typeof document !== 'undefined') {
  document.addEventListener('compositionstart', ({ target }) => (field = target), { capture: true })
  document.addEventListener('compositionend', () => (field = null), { capture: true })
}

/** A field that was removed or lost focus may end its composition without an event. */
const isComposing = () => field !== null && field === document.activeElement

/**
 * Resolves when no composition is active: at once, or after the active one has written its text.
 */
export async function afterComposition(): Promise<void> {
  while (isComposing()) {
    await new Promise((resolve) => {
      const options = { capture: true, once: true }
      document.addEventListener('compositionend', resolve, options)
      document.addEventListener('focusout', resolve, options)
    })
    // Firefox writes the text after compositionend.
    await new Promise((resolve) => setTimeout(resolve))
  }
}
