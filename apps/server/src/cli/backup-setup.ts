/**
 * Shared by `npm run backup` and `npm run restore`: opening the configured board, and reporting
 * errors in one line.
 */
import { mkdirSync } from 'node:fs'
import pg from 'pg'
import { openPictures, type Pictures } from '../backup/pictures.ts'
import { BackupRefusal } from '../backup/refusal.ts'
import type { Config } from '../config.ts'
import { shareBoardDatabase } from '../db/board-database.ts'
import { explainSetup } from '../explain-setup.ts'
import { isUnavailable } from '../lib/api-error.ts'
import { openImageFiles } from '../features/images/image-store.ts'
import { createProgramLogger } from '../logger.ts'

export interface SetUpBoard {
  readonly databaseUrl: string
  /** In DATA_DIR, or in the bucket of `S3_…`. */
  readonly pictures: Pictures
}

/**
 * Runs work with a board's database and pictures; the embedded database runs meanwhile, and is
 * created if there is none.
 */
export async function withBoard<T>(config: Config, work: (board: SetUpBoard) => Promise<T>): Promise<T> {
  mkdirSync(config.dataDir, { recursive: true })
  const log = createProgramLogger()
  const files = await openImageFiles(config, log)
  // Its pool opens no connection: no statements run through it.
  const database = await shareBoardDatabase(config, 1, log)
  try {
    return await work({ databaseUrl: database.url, pictures: openPictures(files) })
  } finally {
    await database.close()
    await files.close()
  }
}

/** PostgreSQL's code for a lock time-out. */
const LOCK_NOT_AVAILABLE = '55P03'

/** The one line for an error that the user can correct; null for any other error. */
export function explainBackup(error: unknown): string | null {
  if (error instanceof BackupRefusal) return error.message
  if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) {
    return 'The tables have been locked for a minute, as by a migration: try again when it is over.'
  }
  if (isUnavailable(error)) return `The storage of pictures cannot be used: ${causeOf(error)}.`
  const setup = explainSetup(error)
  if (setup !== null) return setup
  if (error instanceof pg.DatabaseError) return `PostgreSQL refused: ${error.message} (${error.code}).`
  return null
}

function causeOf(error: unknown): string {
  const { cause } = error as Error
  return cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : 'it does not answer'
}
