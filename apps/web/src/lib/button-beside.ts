/**
 * The button that takes the focus over from that of a row which is about to go: of the next row, or
 * else of the one before. Otherwise a keyboard would begin again at the top of the page.
 */
export function buttonBeside(button: HTMLElement): HTMLElement | null {
  const row = button.closest('li')
  const beside = [row?.nextElementSibling, row?.previousElementSibling].map((other) => other?.querySelector('button'))
  return beside.find((other) => other != null) ?? document.getElementById('main')
}
