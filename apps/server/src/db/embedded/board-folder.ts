/** Detects an embedded board without opening it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { foldersOf } from './cluster.ts'

/** The folder of the embedded board in DATA_DIR, also of version 0.1; null without one. */
export function embeddedBoardFolder(dataDir: string): string | null {
  const folders = [foldersOf(dataDir).data, join(dataDir, 'database')]
  return folders.find((folder) => existsSync(join(folder, 'PG_VERSION'))) ?? null
}
