/**
 * Refuses a start when DATABASE_URL was set on a board without one: the board in DATA_DIR would be
 * left behind, and an empty one would open.
 */
import type { Db } from './client.ts'
import { embeddedBoardFolder } from './embedded/board-folder.ts'
import { isEmbeddedUrl } from './embedded/embedded-postgres.ts'
import { findUsedTables } from './empty-board.ts'

/** The message is the one line that the operator sees. */
export class StrandedBoardError extends Error {}

interface Settings {
  readonly databaseUrl: string | null
  readonly dataDir: string
}

/** @throws StrandedBoardError when the given database is empty while DATA_DIR contains a board */
export async function refuseStrandedBoard(db: Db, { databaseUrl, dataDir }: Settings): Promise<void> {
  // A worker gets the address of the embedded database, which its primary runs.
  if (databaseUrl === null || isEmbeddedUrl(dataDir, databaseUrl)) return
  const folder = embeddedBoardFolder(dataDir)
  if (folder === null || (await findUsedTables(db)).length > 0) return
  throw new StrandedBoardError(
    `The database of DATABASE_URL is empty, and ${folder} holds a board. To move it: "npm run backup -- board.tar.zst" ` +
      'without DATABASE_URL, then "npm run restore -- board.tar.zst" with it. To begin a new board, rename that folder.',
  )
}
