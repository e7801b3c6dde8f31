/** A short hash of a text; collisions are very unlikely. FNV-1a of 32 bits, to base 36. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}
