/** r: the key is heard by the page, and the text is written by the composer. */
const REPLY = 'shinobi:reply'

/** Asks for an answer to a post; null only for a place to write. */
export const pressReply = (number: number | null): boolean => dispatchEvent(new CustomEvent(REPLY, { detail: number }))

export function onReplyKey(listener: (number: number | null) => void): () => void {
  const hear = (event: Event) => listener((event as CustomEvent<number | null>).detail)
  addEventListener(REPLY, hear)
  return () => removeEventListener(REPLY, hear)
}
