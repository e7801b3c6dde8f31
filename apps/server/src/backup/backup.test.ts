/** A board is backed up while visitors write, restored into another database, and opened there. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Dashboard } from '@shinobi/contract/admin'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { findUsedTables } from '../db/empty-board.ts'
import { migrateTo, migrateToNothing, migrations, type Migrations } from '../db/migrate.ts'
import { recount, selectTotals } from '../db/tallies.ts'
import { readSecret } from '../secret.ts'
import {
  openBoard,
  openTestDatabase,
  PASSWORD,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
  type TestDatabase,
} from '../testing/board.ts'
import { openImageFiles } from '../features/images/image-store.ts'
import { readConfig } from '../config.ts'
import { picture } from '../testing/outside/picture.ts'
import { startS3, type S3Server } from '../testing/outside/s3-server.ts'
import { backUp } from './backup.ts'
import type { Compression } from './compression.ts'
import { withConnection } from './connection.ts'
import { openFile } from './output.ts'
import { openPictures, type Pictures } from './pictures.ts'
import { restore, type Restored } from './restore.ts'
import { createSecretKeeper } from './secret-keeper.ts'
import { isOnCluster } from '../testing/citus.ts'

const onCluster = await isOnCluster()

const SECRET = 'a secret that only the first board knows'
const progress = { show: () => {}, end: () => {} }

let folder: string
let source: TestDatabase
let target: TestDatabase
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-backup-'))
  source = await openTestDatabase()
  target = await openTestDatabase()
})
afterEach(async () => {
  await source.close()
  await target.close()
  rmSync(folder, { recursive: true, force: true })
})

const archiveFile = (compression: Compression = 'zst'): string => join(folder, `board.tar.${compression}`)
const sourceDir = (): string => join(folder, 'source')
const targetDir = (): string => join(folder, 'target')

/** Settings of the bucket with the pictures of a board; none: they are in its folder. */
type BucketSettings = Readonly<Record<string, string>>
let sourceBucket: BucketSettings
let targetBucket: BucketSettings
let storages: S3Server[]
beforeEach(() => {
  storages = []
  sourceBucket = {}
  targetBucket = {}
})
afterEach(async () => {
  for (const storage of storages) await storage.close()
})

async function startBuckets(): Promise<void> {
  const [from, to] = [await startS3(), await startS3()]
  storages = [from, to]
  sourceBucket = { ...from.settings }
  targetBucket = { ...to.settings }
  // Only the secret is stored there.
  mkdirSync(targetDir())
}

async function picturesIn(dataDir: string, bucket: BucketSettings = {}): Promise<Pictures> {
  return openPictures(await openImageFiles(readConfig({ ...bucket, DATA_DIR: dataDir }), pino({ level: 'silent' })))
}

async function save(compression: Compression = 'zst', given: Pictures | null = null) {
  const pictures = given ?? (await picturesIn(sourceDir(), sourceBucket))
  const from = { databaseUrl: source.url, pictures, secret: SECRET, version: '0.2.0' }
  return backUp(from, await openFile(archiveFile(compression)), compression, progress)
}

const settingsOf = (dataDir: string) => ({ dataDir, sessionSecret: null, databaseUrl: target.url })

async function load(file = archiveFile(), known: Migrations = migrations): Promise<Restored> {
  const into = {
    databaseUrl: target.url,
    pictures: await picturesIn(targetDir(), targetBucket),
    secret: createSecretKeeper(settingsOf(targetDir())),
  }
  return restore(createReadStream(file), into, () => {}, known)
}

const openSource = (): Promise<Board> =>
  openBoard({ ...sourceBucket, SPAM_POSTS: '100000', DATA_DIR: sourceDir(), SESSION_SECRET: SECRET }, source)
const openTarget = (): Promise<Board> => {
  const secret = readSecret(settingsOf(targetDir()))!
  return openBoard({ ...targetBucket, SPAM_POSTS: '100000', DATA_DIR: targetDir(), SESSION_SECRET: secret }, target)
}

/** The same browser on another board. */
function at(board: Board, guest: Guest): Guest {
  const same = visit(board)
  for (const [name, value] of guest.cookies) same.cookies.set(name, value)
  return same
}

async function allPosts(guest: Guest, threadId: string): Promise<Post[]> {
  const posts: Post[] = []
  for (;;) {
    const { body } = await guest.get<Post[]>(`/api/threads/${threadId}/posts?limit=100&after=${posts.length}`)
    if (body.length === 0) return posts
    posts.push(...body)
  }
}

async function bytesOf(board: Board, url: string): Promise<string> {
  const answer = await fetch(new URL(url, await board.listen()))
  expect([url, answer.status]).toEqual([url, 200])
  return Buffer.from(await answer.arrayBuffer()).toString('base64')
}

/** Each test opens two boards and makes a hundred posts. */
const TIMEOUT_MS = 120_000

// An archive is restored into one PostgreSQL, and distributed afterwards.
describe.skipIf(onCluster)('a board that was backed up while visitors wrote', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['zst', 'its folder', async () => {}],
    ['gz', 'a bucket', startBuckets],
  ] as const)(
    'is the same board once restored from .tar.%s, with its pictures in %s',
    async (compression, _, begin) => {
      await begin()
      const board = await openSource()
      const hanzo = await signUp(board, '半蔵', { isAdmin: true })
      const kaede = await signUp(board, '楓')
      const { body: factor } = await hanzo.post<{ secret: string }>('/auth/second-factor', {
        currentPassword: PASSWORD,
      })
      const codeAt = (seconds: number): string =>
        TOTP.generate({ secret: Secret.fromBase32(factor.secret), timestamp: board.clock.now + seconds * 1_000 })
      expect((await hanzo.post('/auth/second-factor/confirm', { code: codeAt(-30) })).status).toBe(200)
      const face = async () =>
        (await kaede.form<{ picture: string }>('/auth/profile/image', { profileImage: await picture() }, 'PUT')).body
      await face()

      // A slow machine has time for many posts while the archive is written.
      expect((await hanzo.put('/api/admin/settings', { postLimit: 10_000 })).status).toBe(200)
      const threads = [await startThread(kaede, { image: await picture() }), await startThread(visit(board))]
      const [first, second] = threads as [Thread, Thread]
      const withPicture = async (content: string) => {
        const url = `/api/threads/${first._id}/posts`
        return (await kaede.form<Post>(url, { content, name: '楓', image: await picture() })).body
      }
      const removed = await withPicture('消される前の絵')
      const kept = await withPicture('残る絵')
      const hiddenLater = await withPicture('写しの後に消える絵')
      const shownLater = await withPicture('写しの後に戻る絵')
      for (const post of [removed, shownLater]) await hanzo.delete(`/api/admin/posts/${post._id}?rule=law`)
      await kaede.post(`/api/threads/${first._id}/like`)
      await kaede.post(`/api/threads/${first._id}/posts/${kept._id}/like`)
      await board.settle()
      const pictures = new Map<string, string>()
      for (const url of [first.imageUrl!, kept.imageUrl!, hiddenLater.imageUrl!])
        pictures.set(url, await bytesOf(board, url))

      // Writers do not stop until the archive is complete.
      const acknowledged: Post[] = []
      let isWritten = false
      let tellProgress = (): void => {}
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        const guest = visit(board, `203.0.113.${writer + 1}`)
        for (let count = 0; !isWritten; count += 1) {
          acknowledged.push(
            await writeTo(guest, writer % 2 === 0 ? first : second, `${writer}の${count}`, `影${writer}`),
          )
          tellProgress()
        }
      })
      const morePosts = (count: number): Promise<void> =>
        new Promise((resolve) => {
          const enough = acknowledged.length + count
          tellProgress = () => {
            if (acknowledged.length >= enough) resolve()
          }
        })
      await morePosts(20)

      const pictureSource = await picturesIn(sourceDir(), sourceBucket)
      let lists = 0
      const known = [...acknowledged]
      try {
        await save(compression, {
          ...pictureSource,
          async *list() {
            lists += 1
            await morePosts(10)
            // At the second call the database is in the archive, and the pictures follow.
            if (lists === 2) {
              await face()
              await hanzo.delete(`/api/admin/posts/${hiddenLater._id}?rule=law`)
              await hanzo.post(`/api/admin/posts/${shownLater._id}/restore`)
              await board.settle()
            }
            yield* pictureSource.list()
          },
        })
      } finally {
        isWritten = true
        await Promise.all(writers)
      }
      await board.settle()

      const { manifest, leftOut } = await load(archiveFile(compression))
      expect(leftOut).toEqual([])
      const restored = await openTarget()
      const reader = visit(restored)

      const texts = new Map<string, Post>()
      for (const thread of threads) {
        const posts = await allPosts(reader, thread._id)
        expect(posts.map(({ number }) => number)).toEqual(posts.map((_, index) => index + 1))
        const { body } = await reader.get<Thread>(`/api/threads/${thread._id}`)
        expect(body.postCount).toBe(posts.length)
        for (const post of posts) texts.set(post._id, post)
      }
      for (const post of known)
        expect(texts.get(post._id)).toMatchObject({ number: post.number, content: post.content })
      // The snapshot was taken during the writes.
      expect(texts.size).toBeLessThan(acknowledged.length + 6)
      expect(manifest.tables['posts']!.rows).toBe(texts.size)
      // A copy of the key of the day would let its IDs be computed for ever.
      expect(Object.keys(manifest.tables)).not.toContain('dayKeys')
      expect((await reader.get<Thread>(`/api/threads/${first._id}`)).body.likes).toBe(1)
      expect(texts.get(kept._id)!.likes).toBe(1)

      const shown = [...texts.values()].flatMap(({ imageUrl, thumbnailUrl }) =>
        [imageUrl ?? [], thumbnailUrl ?? []].flat(),
      )
      expect(shown).toHaveLength(6)
      for (const url of shown) {
        const bytes = await bytesOf(restored, url)
        if (pictures.has(url)) expect(bytes).toBe(pictures.get(url))
      }
      for (const { imageUrl } of [removed, shownLater]) expect((await reader.get(imageUrl!)).status).toBe(404)

      const member = at(restored, kaede)
      const profile = await member.get<{ name: string; picture: string | null }>('/auth/profile')
      expect(profile).toMatchObject({ status: 200, body: { name: '楓' } })
      // The picture of that moment was deleted when the next one was set: no picture is better than
      // a broken one.
      expect(profile.body.picture).toBeNull()
      expect((await member.post('/auth/verify')).status).toBe(200)
      restored.clock.now += 20 * 60_000
      expect((await member.post('/auth/refresh')).status).toBe(200)

      const credentials = { username: '半蔵', password: PASSWORD }
      const admin = visit(restored)
      expect((await admin.post('/auth/login', credentials)).status).not.toBe(200)
      const code = TOTP.generate({ secret: Secret.fromBase32(factor.secret), timestamp: restored.clock.now })
      expect((await admin.post('/auth/login', { ...credentials, code })).status).toBe(200)
      const { body: figures } = await admin.get<{ stats: Dashboard }>('/api/admin/dashboard')
      const totals = await selectTotals(target.db)
      expect(figures.stats).toMatchObject({ users: 2, threads: 2, posts: totals.posts })
      await target.db.transaction().execute(recount)
      expect(await selectTotals(target.db)).toEqual(totals)

      const next = await writeTo(visit(restored), second, '移った先で')
      const before = [...texts.values()].filter(({ threadId }) => threadId === second._id).length
      expect(next.number).toBe(before + 1)
      await restored.settle()
      const found = await reader.get<Thread[]>(`/api/threads?search=${encodeURIComponent('残る絵')}`)
      expect(found.body.map(({ _id }) => _id)).toEqual([first._id])

      await restored.close()
      await board.close()
    },
  )
})

describe.skipIf(onCluster)('a restore', () => {
  async function fillSource(): Promise<Thread> {
    const board = await openSource()
    const thread = await startThread(visit(board), { image: await picture() })
    await board.settle()
    await board.close()
    return thread
  }

  const filesOf = (dataDir: string): string[] =>
    existsSync(dataDir)
      ? readdirSync(dataDir, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() || entry.name.startsWith('.'))
          .map(({ name }) => name)
      : []

  it('writes files that only their owner can read, and leaves no other files', async () => {
    await fillSource()
    await save()
    await load()
    expect(statSync(archiveFile()).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).toSorted()).toEqual(['board.tar.zst', 'source', 'target'])
    expect(statSync(join(targetDir(), 'session-secret')).mode & 0o777).toBe(0o600)
    expect(statSync(join(targetDir(), 'images')).mode & 0o777).toBe(0o700)
    expect(filesOf(targetDir())).toHaveLength(3)
  })

  it('of a damaged or incomplete archive leaves database and folder as they were', async () => {
    await fillSource()
    await save()
    const whole = await readFile(archiveFile())
    const broken = join(folder, 'broken.tar.zst')
    const flipped = Buffer.from(whole)
    flipped[Math.floor(whole.length * 0.6)]! ^= 0x01
    for (const bytes of [flipped, whole.subarray(0, -1), whole.subarray(0, whole.length / 2), whole.subarray(0, 200)]) {
      await writeFile(broken, bytes)
      await expect(load(broken)).rejects.toThrow(/^The archive is damaged/)
      // With a separate connection, because one of the board would block the next restore.
      const { rows } = await withConnection(target.url, (client) =>
        client.query(
          'select count(*)::integer as categories, (select count(*)::integer from posts) as posts from categories',
        ),
      )
      expect(rows).toEqual([{ categories: 7, posts: 0 }])
      expect(filesOf(targetDir())).toEqual([])
    }
    await load()
    expect(await target.db.selectFrom('posts').select('number').execute()).toHaveLength(1)
  })

  it('refuses a database with user data, or with a running server', async () => {
    await fillSource()
    await save()
    const board = await openBoard({}, target)
    await startThread(visit(board))
    await board.settle()
    await board.close()
    await expect(load()).rejects.toThrow('stop its servers first')
    await target.db.destroy()
    // PostgreSQL may need a moment to end the connections that were closed just now.
    const refusal = () => load().then(String, (error: unknown) => (error as Error).message)
    await expect.poll(refusal).toMatch(/^The database is not empty \(.*: a restore takes an empty one\.$/)
  })

  it('refuses to run under another secret than that of the archive', async () => {
    await fillSource()
    await save()
    const keeper = createSecretKeeper({
      ...settingsOf(targetDir()),
      sessionSecret: 'another secret that is long enough too',
    })
    const into = { databaseUrl: target.url, pictures: await picturesIn(targetDir()), secret: keeper }
    await expect(restore(createReadStream(archiveFile()), into, () => {})).rejects.toThrow('SESSION_SECRET')
    expect(filesOf(targetDir())).toEqual([])
  })

  it('accepts pictures that exist already, as when a board changes its database and keeps its folder', async () => {
    const thread = await fillSource()
    await save()
    const into = {
      databaseUrl: target.url,
      pictures: await picturesIn(sourceDir()),
      secret: createSecretKeeper(settingsOf(sourceDir())),
    }
    await restore(createReadStream(archiveFile()), into, () => {})
    expect(readSecret(settingsOf(sourceDir()))).toBe(SECRET)
    const board = await openBoard({ DATA_DIR: sourceDir(), SESSION_SECRET: SECRET }, target)
    await bytesOf(board, thread.imageUrl!)
    await board.close()
  })
})

describe.skipIf(onCluster)('a restore beside the pictures of the board', { timeout: TIMEOUT_MS }, () => {
  it.each([
    ['a folder', async () => {}],
    ['a bucket', startBuckets],
  ] as const)('hides in %s what was removed at the time of the backup, and shown again since', async (_, begin) => {
    await begin()
    const board = await openSource()
    const admin = await signUp(board, '半蔵', { isAdmin: true })
    const thread = await startThread(visit(board))
    const fields = { content: '絵', name: '影', image: await picture() }
    const { body: post } = await visit(board).form<Post>(`/api/threads/${thread._id}/posts`, fields)
    expect((await admin.delete(`/api/admin/posts/${post._id}?rule=hurt`)).status).toBe(200)
    await board.settle()
    await save()
    expect((await admin.post(`/api/admin/posts/${post._id}/restore`)).status).toBe(200)
    await board.settle()
    await bytesOf(board, post.imageUrl!)
    await board.close()

    const into = {
      databaseUrl: target.url,
      pictures: await picturesIn(sourceDir(), sourceBucket),
      secret: createSecretKeeper(settingsOf(targetDir())),
    }
    mkdirSync(targetDir(), { recursive: true })
    await restore(createReadStream(archiveFile()), into, () => {})
    const settings = { ...sourceBucket, DATA_DIR: sourceDir(), SESSION_SECRET: SECRET }
    const restored = await openBoard(settings, target)
    const statusOf = async (path: string) => (await fetch(new URL(path, await restored.listen()))).status
    expect([await statusOf(post.imageUrl!), await statusOf(post.thumbnailUrl!)]).toEqual([404, 404])
    expect((await at(restored, admin).post(`/api/admin/posts/${post._id}/restore`)).status).toBe(200)
    await restored.settle()
    expect(await statusOf(post.imageUrl!)).toBe(200)
    await restored.close()
  })
})

describe.skipIf(onCluster)('an archive with another schema', () => {
  it('of an older version is migrated, with its rows', async () => {
    const later: Migrations = {
      ...migrations,
      '9999-later': {
        up: async (db) => void (await sql`alter table threads add column mood text default '静か'`.execute(db)),
        down: async (db) => void (await sql`alter table threads drop column mood`.execute(db)),
      },
    }
    const [threadId, postId] = ['019a0000-0000-7000-8000-000000000001', '019a0000-0000-7000-8000-000000000002']
    const { id: categoryId } = await source.db.selectFrom('categories').select('id').executeTakeFirstOrThrow()
    await sql`
      insert into threads (id, "categoryId", title, excerpt, "createdAt", "lastPostAt", heat)
      values (${threadId}, ${categoryId}, '昔のスレッド', 'タブ	と改行', now(), now(), 0.1)`.execute(source.db)
    await sql`
      insert into posts ("threadId", number, id, content, "createdAt")
      values (${threadId}, 1, ${postId}, ${'タブ\tと改行\nと\\N と\\.\n\\.\nと絵文字👨‍👩‍👧'}, '2026-01-02T03:04:05.678901Z')`.execute(
      source.db,
    )
    await sql`delete from "bannedWords"`.execute(source.db)
    await save()
    const { head } = await load(archiveFile(), later)
    expect(head.schema).toBe(Object.keys(migrations).at(-1))
    const [post] = await target.db.selectFrom('posts').selectAll().execute()
    expect(post).toMatchObject({ id: postId, content: 'タブ\tと改行\nと\\N と\\.\n\\.\nと絵文字👨‍👩‍👧' })
    // As JSON, because other databases have no such column (db/statements.test.ts).
    const restored = sql`select title, heat, to_jsonb(threads) ->> 'mood' as mood from threads`
    expect((await restored.execute(target.db)).rows).toEqual([{ title: '昔のスレッド', heat: 0.1, mood: '静か' }])
    // A migration inserted these words once; the operator's deletion of them must survive.
    expect(await target.db.selectFrom('bannedWords').select('word').execute()).toEqual([])
    const { rows } = await sql<{ time: string }>`select "createdAt"::text as time from posts`.execute(target.db)
    expect(rows[0]!.time).toContain('03:04:05.678901')
  })

  it('of 0.2.0 is restored, because its ten migrations made the schema that one makes now', async () => {
    await migrateTo(source.db, '0001-schema')
    await sql`update kysely_migration set name = '0010-admin-lists'`.execute(source.db)
    await sql`update categories set description = '昔の話' where name = 'general'`.execute(source.db)
    await save()
    expect((await load()).head.schema).toBe('0010-admin-lists')
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(target.db)
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrations))
    const general = target.db.selectFrom('categories').select('description').where('name', '=', 'general')
    expect(await general.executeTakeFirst()).toEqual({ description: '昔の話' })
  })

  it('of a version before 0.2.0 is refused, naming the version that can restore it', async () => {
    await migrateTo(source.db, '0001-schema')
    await sql`update kysely_migration set name = '0009-staff-posts'`.execute(source.db)
    await save()
    await expect(load()).rejects.toThrow(/schema 0009-staff-posts, from before 0.2.0: restore it with version 0.2.0/)
    expect(await findUsedTables(target.db)).toEqual([])
  })

  it('of a newer version is refused, naming both', async () => {
    const future: Migrations = { ...migrations, '9999-future': { up: async () => {}, down: async () => {} } }
    await migrateTo(source.db, '9999-future', future)
    await save()
    await expect(load()).rejects.toThrow(
      /schema 9999-future, which this version does not know .*: update the board first/,
    )
    expect(await findUsedTables(target.db)).toEqual([])
  })

  it('continues the numbers of identity columns, and computes generated columns anew', async () => {
    const numbered: Migrations = {
      ...migrations,
      '9999-numbered': {
        async up(db) {
          await sql`
            create table numbered (
              id bigint generated always as identity primary key,
              parent bigint references numbered (id),
              doubled bigint generated always as (id * 2) stored,
              serial serial
            )`.execute(db)
        },
        down: async (db) => void (await sql`drop table numbered`.execute(db)),
      },
    }
    await migrateTo(source.db, '9999-numbered', numbered)
    await sql`insert into numbered (parent) values (null), (1), (2)`.execute(source.db)
    await sql`delete from numbered where id = 3`.execute(source.db)
    await save()
    await load(archiveFile(), numbered)
    await sql`insert into numbered (parent) values (2)`.execute(target.db)
    const { rows } =
      await sql`select id::integer, parent::integer, doubled::integer, serial from numbered order by id`.execute(
        target.db,
      )
    expect(rows).toEqual([
      { id: 1, parent: null, doubled: 2, serial: 1 },
      { id: 2, parent: 1, doubled: 4, serial: 2 },
      { id: 4, parent: 2, doubled: 8, serial: 4 },
    ])
  })

  it('with tables that are none of the board’s is restored without them, and reports them', async () => {
    await sql`create table "visitorCounter" (hits integer)`.execute(source.db)
    await sql`insert into "visitorCounter" values (42)`.execute(source.db)
    await save()
    expect((await load()).leftOut).toEqual(['visitorCounter'])
  })
})

it('a backup that fails leaves the previous file, and none of its own', async () => {
  const board = await openSource()
  await startThread(visit(board))
  await board.close()
  await save()
  const before = readFileSync(archiveFile())
  const output = await openFile(archiveFile())
  const full = async (): Promise<void> => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  const from = { databaseUrl: source.url, pictures: await picturesIn(sourceDir()), secret: SECRET, version: '0.2.0' }
  await expect(backUp(from, { ...output, write: full }, 'zst', progress)).rejects.toThrow('no space left')
  expect(readdirSync(folder).toSorted()).toEqual(['board.tar.zst', 'source'])
  expect(readFileSync(archiveFile()).equals(before)).toBe(true)
})

it('a backup succeeds beside the unfinished file of one that was killed, also under the same process id', async () => {
  await openSource().then((board) => board.close())
  const killed = await openFile(archiveFile())
  await killed.write(Buffer.from('unfinished'))
  await save()
  expect(readdirSync(folder)).toContain('board.tar.zst')
  killed.discard()
  expect(readdirSync(folder).toSorted()).toEqual(['board.tar.zst', 'source'])
})

it.skipIf(onCluster)('a database without a board is not backed up', async () => {
  await migrateToNothing(source.db)
  await sql`drop table kysely_migration, kysely_migration_lock`.execute(source.db)
  await expect(save()).rejects.toThrow('The database holds no board')
  expect(readdirSync(folder)).toEqual(['source'])
})
