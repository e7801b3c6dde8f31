const MARGIN = 8

/**
 * Below the anchor, or above it where there is more space; in page coordinates, so that it scrolls
 * with the text.
 */
export function placeBeside(paper: HTMLElement, anchor: HTMLElement): void {
  const at = anchor.getBoundingClientRect()
  const width = document.documentElement.clientWidth
  const below = innerHeight - at.bottom
  const above = paper.offsetHeight > below - MARGIN && at.top > below
  const left = Math.max(MARGIN, Math.min(at.left - MARGIN, width - paper.offsetWidth - MARGIN))
  paper.style.left = `${left + scrollX}px`
  paper.style.top = `${(above ? at.top - paper.offsetHeight - 4 : at.bottom + 4) + scrollY}px`
}
