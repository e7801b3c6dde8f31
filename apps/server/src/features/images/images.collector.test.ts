/** A picture that any row references is never deleted; an unreferenced one is, once it is old. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Db } from '../../db/client.ts'
import { HIDDEN, SERVED, AREAS, type Area } from './image-files.ts'
import { openImageFolder, type ImageFolder } from './image-folder.ts'
import { createImageStore, type ImageStore } from './image-store.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { createLogger } from '../../logger.ts'
import { createRandom } from '../../seed/random.ts'
import { openTestDatabase, START, type TestDatabase } from '../../testing/board.ts'
import { openLog } from '../../testing/log-lines.ts'
import { picture } from '../../testing/outside/picture.ts'
import { insertUser } from '../accounts/users.queries.ts'
import { insertThread } from '../threads/threads.queries.ts'
import { IMAGE_COLUMNS } from './image-columns.ts'
import { createImageCollector, type ImageCollector } from './images.collector.ts'
import { createStoredImages, type StoredImages } from './images.tally.ts'

const HOUR_MS = 3_600_000
const AT = new Date(START)

let database: TestDatabase
let db: Db
let dataDir: string
let files: ImageFolder
let tally: StoredImages
let images: ImageStore
let collector: ImageCollector
let log: ReturnType<typeof openLog>
beforeEach(async () => {
  database = await openTestDatabase()
  ;({ db } = database)
  dataDir = mkdtempSync(join(tmpdir(), 'shinobi-collector-'))
  files = openImageFolder(dataDir)
  tally = createStoredImages(db, null)
  images = createImageStore(files, tally)
  log = openLog()
  collector = createImageCollector({ db, files, images, log: createLogger({ logLevel: 'info' }, { to: log }) })
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true })
})

const imageOf = (key: string): string => JSON.stringify({ key, width: 8, height: 8 })

/** Opens a thread, which is removed again for half of the keys. */
async function openThread(key: string): Promise<string> {
  const { id: categoryId } = await db.selectFrom('categories').select('id').limit(1).executeTakeFirstOrThrow()
  const id = uuidv7(START)
  await insertThread(db, {
    ...{ id, postId: uuidv7(START), categoryId, title: '絵', excerpt: '', content: '絵', at: START },
    ...{ nickname: null, userId: null, visitorId: null, image: null },
  })
  if (key < '8') await db.updateTable('threads').set({ removedAt: AT }).where('id', '=', id).execute()
  return id
}

/** Creates a row that references a picture, for each column that can. */
const NAMING: Record<string, (key: string) => Promise<unknown>> = {
  'threads.image': async (key) =>
    db
      .updateTable('threads')
      .set({ image: imageOf(key) })
      .where('id', '=', await openThread(key))
      .execute(),
  'posts.image': async (key) =>
    db
      .updateTable('posts')
      .set({ image: imageOf(key) })
      .where('threadId', '=', await openThread(key))
      .execute(),
  'users.picture': async (key) => {
    const id = uuidv7(START)
    await insertUser(db, { id, name: id, email: null, passwordHash: null, at: AT })
    await db
      .updateTable('users')
      .set({ picture: imageOf(key) })
      .where('id', '=', id)
      .execute()
  },
  'departures.picture': (key) =>
    db
      .insertInto('departures')
      .values({ userId: randomUUID(), picture: imageOf(key), createdAt: AT })
      .execute(),
  'newsStories.image': (key) =>
    db
      .insertInto('newsStories')
      .values({ id: randomUUID(), categoryId: null, state: 'new', image: imageOf(key), begunAt: AT, createdAt: AT })
      .execute(),
  'heldPosts.payload': (key) =>
    db
      .insertInto('heldPosts')
      .values({
        ...{ id: randomUUID(), status: key < '8' ? 'waiting' : 'approved', categoryId: randomUUID(), threadId: null },
        ...{ visitorId: randomUUID(), userId: null, clientId: null, why: 'word', detail: null, createdAt: AT },
        payload: `{"name":null,"content":"絵","image":${imageOf(key)}}`,
      })
      .execute(),
  'reports.evidence': (key) =>
    db
      .insertInto('reports')
      .values({
        ...{ threadId: randomUUID(), id: randomUUID(), postId: randomUUID(), reporter: randomUUID(), userId: null },
        ...{ reason: '', createdAt: AT, voice: '' },
        evidence: JSON.stringify({ number: 1, name: null, content: '', imageKey: key, seen: '' }),
      })
      .execute(),
}

/** Writes a file with an age into a folder. */
function place(area: Area, name: string, ageMs: number, bytes = 'picture'): string {
  const path = join(dataDir, area, name)
  writeFileSync(path, bytes)
  const at = new Date(START - ageMs)
  utimesSync(path, at, at)
  return `${area}/${name}`
}

/** A key at a relative position among all keys, from 0 to 1. */
const keyAt = (place: number): string =>
  `${Math.floor(place * 2 ** 32)
    .toString(16)
    .padStart(8, '0')}-0000-4000-8000-000000000000`

const everything = (): string[] =>
  AREAS.flatMap((area) => readdirSync(join(dataDir, area)).map((name) => `${area}/${name}`)).toSorted()

async function expectTotalsOfDisk(): Promise<void> {
  await tally.refresh()
  const paths = everything()
  const bytes = paths.reduce((sum, path) => sum + statSync(join(dataDir, path)).size, 0)
  expect(tally.totals()).toEqual({ files: paths.length, bytes })
}

it('every JSON column of the schema is listed as one with pictures or one without', async () => {
  const { rows } = await sql<{ column: string }>`
    select table_name || '.' || column_name as column from information_schema.columns
    where table_schema = current_schema() and data_type in ('json', 'jsonb') order by 1`.execute(db)
  expect(rows.map(({ column }) => column)).toEqual(Object.keys(IMAGE_COLUMNS).toSorted())
  const naming = Object.entries(IMAGE_COLUMNS).filter(([, key]) => key !== null)
  expect(naming.map(([column]) => column).toSorted()).toEqual(Object.keys(NAMING).toSorted())
})

it.each([1, 2, 3])('a referenced picture stays, and an old unreferenced one is deleted (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const stay: string[] = [place(SERVED, 'notes.txt', 99 * HOUR_MS), place(SERVED, 'young.webp.tmp', HOUR_MS / 2)]
  const go: string[] = [place(SERVED, 'old.webp.tmp', 2 * HOUR_MS), place(HIDDEN, 'old.webp.tmp', 2 * HOUR_MS)]
  const write = (key: string, ageMs: number): string[] => {
    const area = random.chance(0.3) ? HIDDEN : SERVED
    const names = random.chance(0.8) ? [`${key}.webp`, `${key}-s.webp`] : [`${key}.webp`]
    return names.map((name) => place(area, name, ageMs))
  }
  for (const name of Object.values(NAMING)) {
    for (let count = 0; count < 4; count += 1) {
      const key = keyAt(random.next())
      await name(key)
      stay.push(...write(key, random.chance(0.8) ? 100 * HOUR_MS : 0))
    }
  }
  for (let count = 0; count < 12; count += 1) {
    const isOld = random.chance(0.6)
    ;(isOld ? go : stay).push(...write(keyAt(random.next()), isOld ? HOUR_MS + 1_000 : HOUR_MS - 1_000))
  }
  await collector.sweep(START)
  expect(everything()).toEqual(stay.toSorted())
  await expectTotalsOfDisk()
  const keysOf = (paths: string[]) => new Set(paths.map((path) => path.slice(0, -5).replace(/-s$/, ''))).size
  expect(log.lines).toMatchObject([
    { msg: 'pictures: took away what nothing shows', pictures: keysOf(go) - 2, halfWritten: 2 },
  ])
  expect(collector.collected()).toBe(keysOf(go))
})

it('a database that references hardly any of the pictures has none deleted, and this is logged', async () => {
  for (let count = 0; count < 10; count += 1) place(SERVED, `${randomUUID()}.webp`, 99 * HOUR_MS)
  const before = everything()
  await collector.sweep(START)
  expect(everything()).toEqual(before)
  expect(log.lines).toMatchObject([{ level: 40, orphans: 10, others: 0 }])
})

/** Inserts rows for many pictures at once. */
async function nameMany(keys: readonly string[]): Promise<void> {
  await sql`
    insert into departures ("userId", picture, "createdAt")
    select key::uuid, jsonb_build_object('key', key), ${AT}::timestamptz
    from json_array_elements_text(${JSON.stringify(keys)}::text::json) as key`.execute(db)
}

it('a large board is walked in parts, by one server at a time, and the count is right though pictures come and go', async () => {
  const keys = Array.from({ length: 60 }, (_, place) => keyAt(place / 60))
  for (const key of keys) for (const name of [`${key}.webp`, `${key}-s.webp`]) place(SERVED, name, HOUR_MS * 2)
  await nameMany(keys)
  const orphans = Array.from({ length: 10 }, (_, place) => keyAt((place + 0.1) / 10))
  for (const key of orphans) place(SERVED, `${key}.webp`, HOUR_MS * 2)

  const options = { db, files, images, log: createLogger({ logLevel: 'info' }, { to: log }), filesAtASweep: 100 }
  const [one, other] = [createImageCollector(options), createImageCollector(options)]
  await Promise.all([one.sweep(START), other.sweep(START)])
  const left = everything().filter((path) => orphans.some((key) => path.includes(key)))
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(orphans.length)

  // Removes one picture before the position of the walk and one after it, and adds new ones
  // anywhere.
  for (const key of [keys[0]!, keys.at(-1)!]) await images.remove({ key })
  const bytes = Buffer.from(await (await picture()).arrayBuffer())
  for (let count = 0; count < 12; count += 1) await images.save(bytes)

  await other.sweep(START + 5 * 60_000)
  expect(everything().filter((path) => orphans.some((key) => path.includes(key)))).toEqual([])
  expect(everything()).toHaveLength(2 * (60 - 2 + 12))
  expect(one.collected() + other.collected()).toBe(orphans.length)
  await expectTotalsOfDisk()
})
