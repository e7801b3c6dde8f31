/**
 * A process that runs the news pipeline once, for tests that kill it meanwhile, on the database of
 * DATABASE_URL. Processes all feeds and all pending work, whether or not it is due, and reports on
 * its output when each step begins, and what it has done. The database must be migrated: checking
 * for migrations takes longer than the pipeline.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/client.ts'

/**
 * The lock of a killed process is held until the database notices that its connection is closed.
 */
const ASK_AGAIN_MS = 20

const config = readConfig({ NEWS_PRIVATE_ADDRESSES: 'true', NEWS_SCHEDULE: 'false', ...process.env })
const database = openDatabase({ url: config.databaseUrl!, pool: 4 })
const logger = pino({ level: 'debug' })
const { app, deps } = await buildApp({
  ...{ config, database, secret: 'the secret of a board for tests', bundle: null, logger, newsHostDelayMs: 0 },
})
await app.ready()

const at = new Date()
await database.db.updateTable('newsSources').set({ nextFetchAt: at }).execute()
// Work that failed on a busy machine is retried without delay as well.
for (const table of ['newsArticles', 'newsStories'] as const) {
  await database.db.updateTable(table).set({ nextTryAt: at }).where('nextTryAt', 'is not', null).execute()
}
let report = await deps.news.run()
while (report === null) {
  await sleep(ASK_AGAIN_MS)
  report = await deps.news.run()
}
process.stdout.write(`done ${JSON.stringify(report)}\n`)
await app.close()
await database.close()
