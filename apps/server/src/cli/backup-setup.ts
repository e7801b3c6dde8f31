/** What `npm run backup` and `npm run restore` share: the database of the settings, and what went wrong in one line. */
import { mkdirSync } from 'node:fs'
import pg from 'pg'
import { pino } from 'pino'
import { BackupRefusal } from '../backup/refusal.ts'
import type { Config } from '../config.ts'
import { shareBoardDatabase } from '../db/board-database.ts'
import { explainSetup } from '../explain-setup.ts'

/** What is wrong with how the program was called. */
export class UsageError extends Error {}

/** Runs work with the address of the board's database; the embedded one runs meanwhile, and is made when there is none. */
export async function withDatabaseUrl<T>(config: Config, work: (url: string) => Promise<T>): Promise<T> {
  mkdirSync(config.dataDir, { recursive: true })
  // Its pool opens no connection: none of its statements run here.
  const database = await shareBoardDatabase(config, 1, pino({ level: 'warn' }, pino.destination(2)))
  try {
    return await work(database.url)
  } finally {
    await database.close()
  }
}

/** PostgreSQL's code for a lock that was waited for in vain. */
const LOCK_NOT_AVAILABLE = '55P03'

/** What the person at the terminal can mend is said in one line. */
export function explainBackup(error: unknown, help: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${help}`
  if (error instanceof BackupRefusal) return error.message
  if (error instanceof pg.DatabaseError && error.code === LOCK_NOT_AVAILABLE) {
    return 'The tables have been locked for a minute, as by a migration: try again when it is over.'
  }
  const setup = explainSetup(error)
  if (setup !== null) return setup
  if (error instanceof pg.DatabaseError) return `PostgreSQL refused: ${error.message} (${error.code}).`
  return (error as Error).stack ?? String(error)
}
