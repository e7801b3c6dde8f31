import type { DestinationStream } from 'pino'

/** A log that a test reads: every line that was written, as an object, in `lines`. */
export function openLog(): DestinationStream & { readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { lines, write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
}
