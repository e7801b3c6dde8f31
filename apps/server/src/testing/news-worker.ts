/**
 * A process that runs the news pipeline once, for tests that kill it meanwhile, on the database of
 * DATABASE_URL. Processes the feeds of NEWS_FEEDS (addresses separated by spaces) and all pending
 * work, whether or not it is due, and reports on its output when it is ready, when each step
 * begins, and what it has done. The database must be migrated: checking for migrations takes longer
 * than the pipeline.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/client.ts'
import { createRevisions } from '../db/revisions.ts'
import { createStoredImages } from '../features/images/images.tally.ts'
import { createNews } from '../features/news/news.service.ts'
import { createSearchIndexer } from '../features/search/search.indexer.ts'
import { followSettings } from '../features/settings/settings.service.ts'
import { createThreadEvents } from '../features/threads/thread-events.ts'
import { followBannedWords } from '../features/words/word-verdicts.service.ts'
import { ResponseCache } from '../http/response-cache.ts'
import { createImageStore } from '../features/images/image-store.ts'
import { openImageFolder } from '../features/images/image-folder.ts'
import { uuidv7 } from '../lib/uuid.ts'

/**
 * The lock of a killed process is held until the database notices that its connection is closed.
 */
const ASK_AGAIN_MS = 20

const config = readConfig({ NEWS_PRIVATE_ADDRESSES: 'true', NEWS_SCHEDULE: 'false', ...process.env })
const { db, close } = openDatabase({ url: config.databaseUrl!, pool: 4 })
const log = pino({ level: 'debug', messageKey: 'message' })
const now = Date.now
const revisions = createRevisions(db, log)
const settings = await followSettings(db, config, revisions)
const search = createSearchIndexer({ db, log, cache: { drop: () => {} } })
const words = await followBannedWords(db, revisions)
const cache = new ResponseCache({ maxBytes: 1, now })
const images = createImageStore(openImageFolder(config.dataDir), createStoredImages(db, null))
const live = { queueChanged: () => {} }
const writability = { obstacle: null }
const metrics = new Registry()
const news = createNews(
  {
    config,
    db,
    log,
    now,
    settings,
    writability,
    cache,
    live,
    search,
    images,
    words,
    metrics,
    threadEvents: createThreadEvents(),
  },
  { hostDelayMs: 0 },
)

const { id: categoryId } = await db
  .selectFrom('categories')
  .select('id')
  .where('name', '=', 'general')
  .executeTakeFirstOrThrow()
const at = new Date(now())
for (const url of process.env['NEWS_FEEDS']!.split(' ')) {
  await db
    .insertInto('newsSources')
    .values({
      ...{ id: uuidv7(now()), url, name: '忍日報', categoryId, language: 'ja', permission: 'allowed' },
      ...{ intervalMinutes: 30, active: true, nextFetchAt: at, createdAt: at },
    })
    .onConflict((conflict) => conflict.column('url').doUpdateSet({ nextFetchAt: at }))
    .execute()
}
// Work that failed on a busy machine is retried without delay as well.
for (const table of ['newsArticles', 'newsStories'] as const) {
  await db.updateTable(table).set({ nextTryAt: at }).where('nextTryAt', 'is not', null).execute()
}

process.stdout.write('ready\n')
let report = await news.run()
while (report === null) {
  await sleep(ASK_AGAIN_MS)
  report = await news.run()
}
process.stdout.write(`done ${JSON.stringify(report)}\n`)
await news.close()
await revisions.close()
await search.close()
await close()
