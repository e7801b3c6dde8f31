import type { DestinationStream } from 'pino'

/** A log destination for tests: every line is parsed and appended to `lines`. */
export function openLog(): DestinationStream & { readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  return { lines, write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) }
}
