/** The field in which an input method was last at work, while it is: whoever writes into it then breaks the text. */
let field: EventTarget | null = null

if (typeof document !== 'undefined') {
  document.addEventListener('compositionstart', ({ target }) => (field = target), { capture: true })
  document.addEventListener('compositionend', () => (field = null), { capture: true })
}

/** A field that left the page, or the focus, has ended it without a word. */
const isComposing = () => field !== null && field === document.activeElement

/** Resolves when nothing is being converted: at once, or when a conversion is over and its text stands in the field. */
export async function afterComposition(): Promise<void> {
  while (isComposing()) {
    await new Promise((resolve) => {
      const options = { capture: true, once: true }
      document.addEventListener('compositionend', resolve, options)
      document.addEventListener('focusout', resolve, options)
    })
    // Firefox writes the text after the end.
    await new Promise((resolve) => setTimeout(resolve))
  }
}
