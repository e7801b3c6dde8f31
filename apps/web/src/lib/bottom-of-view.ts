/** The bottom of what a reader sees: the dock of a thread covers what is below it. */
export const bottomOfView = (): number =>
  Math.min(innerHeight, document.getElementById('dock')?.getBoundingClientRect().top ?? innerHeight)
