/** Both kinds of picture storage behave the same. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startS3, type S3Server } from '../../testing/outside/s3-server.ts'
import { ApiError } from '../../lib/api-error.ts'
import { openImageBucket, type BucketLog, type BucketOptions } from './image-bucket.ts'
import type { FileBody, ImageFiles, StoredFile } from './image-files.ts'
import { openImageFolder } from './image-folder.ts'

const KEY = '0b6f1111-2222-4333-8444-555566667777'
const BEGUN = Date.now()
const silent: BucketLog = { info: () => {}, warn: () => {}, error: () => {} }

let s3: S3Server
let dataDir: string
const bucketOf = ({ settings }: S3Server, changed: Partial<BucketOptions> = {}, log = silent) =>
  openImageBucket(
    {
      endpoint: settings.S3_ENDPOINT,
      region: 'us-east-1',
      bucket: settings.S3_BUCKET,
      accessKeyId: settings.S3_ACCESS_KEY_ID,
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
      ...changed,
    },
    log,
  )
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'shinobi-files-'))
  s3 = await startS3()
})
afterAll(async () => {
  await s3.close()
  rmSync(dataDir, { recursive: true })
})

const read = async (files: ImageFiles, path: string): Promise<string | null> => {
  const found = await files.get(path)
  return found === null ? null : `${found.bytes}: ${await text(found.stream)}`
}
async function listOf(files: ImageFiles, after?: string): Promise<StoredFile[]> {
  const list: StoredFile[] = []
  for await (const file of files.list(after)) list.push(file)
  return list
}
const pathsOf = async (files: ImageFiles, after?: string): Promise<string[]> =>
  (await listOf(files, after)).map(({ path }) => path)

describe.each([
  ['a folder', () => openImageFolder(dataDir)],
  ['a bucket', () => bucketOf(s3)],
])('%s', (_name, open) => {
  let files: ImageFiles
  beforeAll(() => {
    files = open()
  })
  afterAll(() => files.close())

  it('returns what was stored, from memory or as a stream, and null for a missing file', async () => {
    await files.put(`images/${KEY}.webp`, Buffer.from('picture'))
    await files.put(`images-hidden/${KEY}-s.webp`, { bytes: 5, stream: Readable.from([Buffer.from('small')]) })
    expect(await read(files, `images/${KEY}.webp`)).toBe('7: picture')
    expect(await read(files, `images-hidden/${KEY}-s.webp`)).toBe('5: small')
    expect(await read(files, `images/${KEY}-s.webp`)).toBeNull()
  })

  it('lists all files by path, with key, size and time, and begins after any of them', async () => {
    await files.put('images/notes.txt', Buffer.from('no picture'))
    const list = await listOf(files)
    expect(list.map(({ path, key, bytes }) => [path, key, bytes])).toEqual([
      [`images-hidden/${KEY}-s.webp`, KEY, 5],
      [`images/${KEY}.webp`, KEY, 7],
      ['images/notes.txt', null, 10],
    ])
    for (const { modifiedAt } of list) {
      expect(modifiedAt).toBeGreaterThan(BEGUN - 60_000)
      expect(modifiedAt).toBeLessThan(Date.now() + 60_000)
    }
    const paths = list.map(({ path }) => path)
    expect(await pathsOf(files, paths[0])).toEqual(paths.slice(1))
    expect(await pathsOf(files, paths[1])).toEqual(paths.slice(2))
    expect(await pathsOf(files, paths[2])).toEqual([])
  })

  it('moves a file once, however often it is called', async () => {
    for (let count = 0; count < 2; count += 1) await files.move(`${KEY}.webp`, 'images', 'images-hidden')
    expect(await read(files, `images/${KEY}.webp`)).toBeNull()
    expect(await read(files, `images-hidden/${KEY}.webp`)).toBe('7: picture')
  })

  it('removes a file, and returns how many bytes that has freed', async () => {
    expect(await files.remove(`images-hidden/${KEY}.webp`)).toBe(7)
    expect(await files.remove(`images-hidden/${KEY}.webp`)).toBe(0)
    expect(await pathsOf(files)).toEqual([`images-hidden/${KEY}-s.webp`, 'images/notes.txt'])
  })

  it('reports the early end of a stream as an error of its sender', async () => {
    await expect(files.put(`images/${KEY}-s.webp`, brokenBody())).rejects.toThrow('the sender has gone')
    expect(files.failures()).toBe(0)
    expect(await read(files, 'images/notes.txt')).toBe('10: no picture')
  })
})

/** Declares a larger size than it has. */
const brokenBody = (): FileBody => ({
  bytes: 8,
  stream: Readable.from(
    (async function* () {
      yield Buffer.from('half')
      throw new Error('the sender has gone')
    })(),
  ),
})

it('a folder keeps nothing of a stream that ends too early', async () => {
  const own = join(dataDir, 'own')
  const files = openImageFolder(own)
  await expect(files.put(`images/${KEY}.webp`, brokenBody())).rejects.toThrow('the sender has gone')
  expect(readdirSync(join(own, 'images'))).toEqual([])
})

it('a folder with more names than fit in memory at a time is listed completely and in order', async () => {
  const large = join(dataDir, 'large')
  const files = openImageFolder(large)
  const names = Array.from({ length: 10_200 }, (_, count) => `${String(count).padStart(6, '0')}.webp`)
  for (const name of names) writeFileSync(join(large, 'images', name), '')
  expect(await pathsOf(files)).toEqual(names.map((name) => `images/${name}`))
})

it('a bucket with more files than one answer lists is listed completely and in order', async () => {
  const bucket = bucketOf(s3, { bucket: 'other' })
  await fetchSigned('PUT', 'other')
  const paths = Array.from({ length: 1_001 }, (_, count) => `images/${String(count).padStart(6, '0')}.webp`)
  // All at once take a busy machine longer than a bucket may take for an answer.
  for (let index = 0; index < paths.length; index += 50)
    await Promise.all(paths.slice(index, index + 50).map((path) => bucket.put(path, Buffer.from('x'))))
  expect(await pathsOf(bucket)).toEqual(paths)
  await bucket.close()
})

async function fetchSigned(method: string, bucket: string): Promise<void> {
  const { AwsClient } = await import('aws4fetch')
  const { S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = s3.settings
  const client = new AwsClient({ accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY, service: 's3' })
  expect((await client.fetch(`${S3_ENDPOINT}/${bucket}`, { method })).status).toBe(200)
}

it('folders of pictures, served or hidden, are readable by the board alone, also those of earlier versions', () => {
  const old = join(dataDir, 'old')
  for (const name of ['images', 'images-hidden']) mkdirSync(join(old, name), { recursive: true, mode: 0o755 })
  for (const folder of [old, join(dataDir, 'new')]) {
    openImageFolder(folder)
    expect(readdirSync(folder).map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)])).toEqual([
      ['images', '700'],
      ['images-hidden', '700'],
    ])
  }
})

it('an unusable bucket answers visitors with 503, and is logged with its reason but no secret', async () => {
  const lines: string[] = []
  const note = (fields: object, message: string) => {
    lines.push(`${message} ${(fields as { err?: Error }).err?.message ?? ''} ${JSON.stringify(fields)}`)
  }
  const log = { info: note, warn: note, error: note }
  const strangers = bucketOf(s3, { secretAccessKey: 'not-the-secret' }, log)
  const nowhere = bucketOf(s3, { endpoint: 'http://127.0.0.1:9' }, log)
  for (const bucket of [strangers, nowhere]) {
    for (let count = 0; count < 3; count += 1) {
      const failure = await bucket.put('images/a.webp', Buffer.from('a')).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(ApiError)
      expect(failure).toMatchObject({ status: 503, retryAfter: 5 })
    }
    expect(bucket.failures()).toBe(3)
    await bucket.close()
  }
  // An unreachable one is logged once.
  expect(lines).toHaveLength(4)
  expect(lines[0]).toMatch(/^pictures: the storage refuses the storage answered 403 SignatureDoesNotMatch/)
  expect(lines[3]).toMatch(/^pictures: the storage is away .*ECONNREFUSED/)
  expect(lines.join()).not.toContain('not-the-secret')
})
