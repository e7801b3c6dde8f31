/** Chunks of the web app's build, as its manifest lists them. */
export interface ManifestChunk {
  readonly file: string
  readonly css?: readonly string[]
  /** Keys of the chunks that it imports; two chunks may import each other. */
  readonly imports?: readonly string[]
  readonly isEntry?: boolean
}

/**
 * Chunks with all that they import, without the entry, which index.html loads itself. Imported
 * chunks come first: later style rules win, and those of the importing module must.
 */
export function withImports(
  manifest: Readonly<Record<string, ManifestChunk>>,
  keys: Iterable<string>,
): readonly ManifestChunk[] {
  const visited = new Set<string>()
  const chunks: ManifestChunk[] = []
  function collect(key: string): void {
    const chunk = manifest[key]
    if (chunk === undefined || chunk.isEntry === true || visited.has(key)) return
    visited.add(key)
    for (const imported of chunk.imports ?? []) collect(imported)
    chunks.push(chunk)
  }
  for (const key of keys) collect(key)
  return chunks
}
