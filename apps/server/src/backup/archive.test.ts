/** The archive format: what is written is read back, and everything else is refused. */
import { Readable } from 'node:stream'
import { createGzip, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { pack as createPack } from 'tar-stream'
import { describe, expect, it } from 'vitest'
import type { Compression } from './compression.ts'
import { checksumList, encode, FORMAT, HEAD, SECRET, tablePart, type Head } from './manifest.ts'
import { hold, readArchive } from './read-archive.ts'
import { BackupRefusal } from './refusal.ts'
import { checkArchive } from './restore.ts'
import { CHECKSUMS_PER_LIST, writeArchive } from './write-archive.ts'

const HEAD_OF_TEST: Head = {
  format: FORMAT,
  ...{ version: '0.3.0', schema: '0001-schema', createdAt: '2026-11-21T04:03:00.000Z' },
  tables: [{ name: 'posts', columns: ['id', 'content'], sequences: [] }],
}
const ROWS = Buffer.from('1\t綺麗ですね\n2\tそうですね\n')

interface Entry {
  readonly name: string
  readonly bytes: Buffer
}

const secret: Entry = { name: SECRET, bytes: Buffer.from('a secret for tests that is long enough\n') }
const rows: Entry = { name: tablePart('posts', 1), bytes: ROWS }
const pictures = (count: number): Entry[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `images/picture-${index}.webp`,
    bytes: Buffer.from(`${index}`),
  }))

/** An archive in memory. */
async function write(
  entries: readonly Entry[],
  compression: Compression = 'zst',
  counts = { rows: 2, pictures: 0 },
): Promise<Buffer> {
  const chunks: Buffer[] = []
  const output = { write: async (chunk: Buffer) => void chunks.push(chunk), commit: async () => {}, discard: () => {} }
  const archive = writeArchive(output, compression)
  const head = encode(HEAD_OF_TEST)
  for (const { name, bytes } of [{ name: HEAD, bytes: head }, ...entries])
    await archive.add(name, bytes.length, [bytes])
  await archive.finish({
    tables: { posts: { rows: counts.rows, bytes: ROWS.length } },
    pictures: { files: counts.pictures, bytes: 0 },
  })
  return Buffer.concat(chunks)
}

/** In pieces, as from a disk or a pipe. */
const streamOf = (bytes: Buffer, piece = 500): Readable =>
  Readable.from(
    Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
      bytes.subarray(index * piece, (index + 1) * piece),
    ),
    { objectMode: false },
  )

const check = (bytes: Buffer) => checkArchive(streamOf(bytes), () => {})

/** Null for bytes that cannot be decompressed. */
function decompress(bytes: Buffer): Buffer | null {
  try {
    return bytes[0] === 0x1f ? gunzipSync(bytes) : zstdDecompressSync(bytes)
  } catch {
    return null
  }
}

interface Foreign {
  readonly name: string
  readonly type?: 'symlink'
  readonly linkname?: string
  readonly text?: string
}

/** A foreign tar archive with a valid head. */
async function tar(entries: readonly Foreign[]): Promise<Buffer> {
  const pack = createPack()
  pack.entry({ name: HEAD }, encode(HEAD_OF_TEST))
  for (const entry of entries) {
    if (entry.type === 'symlink') pack.entry(entry)
    else pack.entry({ name: entry.name }, entry.text ?? 'x')
  }
  pack.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of Readable.from(pack).pipe(createGzip())) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

describe.each(['zst', 'gz'] as const)('an archive as .tar.%s', (compression) => {
  it('returns what was written, in order', async () => {
    const entries = [secret, rows, ...pictures(3)]
    const archive = await readArchive(streamOf(await write(entries, compression)))
    expect(archive.head).toEqual(HEAD_OF_TEST)
    const read: Entry[] = []
    for await (const { name, body } of archive.contents()) read.push({ name, bytes: await hold(body) })
    expect(read).toEqual(entries)
    expect(archive.manifest).toMatchObject({ entries: 6, tables: { posts: { rows: 2 } } })
  })

  it('is refused as damaged when a flipped bit changes its contents, or when it was cut off', async () => {
    const bytes = await write([secret, rows, ...pictures(12)], compression, { rows: 2, pictures: 12 })
    await expect(check(bytes)).resolves.toMatchObject({ head: HEAD_OF_TEST })
    const contents = decompress(bytes)
    for (let at = 0; at < bytes.length; at += 3) {
      const flipped = Buffer.from(bytes)
      flipped[at]! ^= 1 << (at % 8)
      // Different compressed bytes can have the same contents.
      if (contents !== null && decompress(flipped)?.equals(contents) === true) continue
      const refused = await check(flipped).catch((error: unknown) => error)
      expect([at, refused]).toEqual([at, expect.any(BackupRefusal)])
    }
    for (let length = 0; length < bytes.length; length += 97) {
      const cut = await check(bytes.subarray(0, length)).catch((error: unknown) => error)
      expect([length, cut]).toEqual([length, expect.any(BackupRefusal)])
    }
  })
})

it('splits checksums of many entries into several lists', async () => {
  const many = pictures(CHECKSUMS_PER_LIST * 2 + 10)
  const counts = { rows: 0, pictures: many.length }
  await expect(check(await write([secret, ...many], 'gz', counts))).resolves.toMatchObject({
    manifest: { entries: many.length + 2 },
  })
})

it('names an entry that differs from what was written', async () => {
  const list = ['board.json', 'images/a.webp'].map((name) => `${'0'.repeat(64)}  ${name}\n`).join('')
  const archive = await tar([{ name: 'images/a.webp' }, { name: checksumList(1), text: list }])
  await expect(check(archive)).rejects.toThrow(/board\.json is not what was written/)
})

it('reports rows or pictures that the manifest does not count', async () => {
  await expect(check(await write([secret, rows], 'gz', { rows: 3, pictures: 0 }))).rejects.toThrow(/than its manifest/)
  await expect(check(await write([secret, rows], 'gz', { rows: 2, pictures: 1 }))).rejects.toThrow(/than its manifest/)
  await expect(check(await write([rows], 'gz'))).rejects.toThrow(BackupRefusal)
})

describe('content that no backup writes is refused', () => {
  it.each([
    'images/../../evil.webp',
    '../session-secret',
    '/etc/cron.d/evil',
    'images/.restoring/a.webp',
    'images/a/b.webp',
    'images-hidden/..',
    'images\\a.webp',
    'tables/posts/../../a.copy',
    'tables/posts"; drop table posts; --/000001.copy',
    'readme.txt',
  ])('an entry %s', async (name) => {
    await expect(check(await tar([{ name }]))).rejects.toThrow(BackupRefusal)
  })

  it('a link, whatever its name', async () => {
    const link = { name: 'images/a.webp', type: 'symlink', linkname: '/etc/passwd' } as const
    await expect(check(await tar([link]))).rejects.toThrow(/no backup writes/)
  })

  it('a table missing from the head', async () => {
    await expect(check(await tar([{ name: tablePart('users', 1) }]))).rejects.toThrow(/does not name the table users/)
  })

  it('a file in another format', async () => {
    await expect(check(Buffer.from('PK\u0003\u0004 a zip'))).rejects.toThrow('This is no archive of a board')
    await expect(check(Buffer.alloc(0))).rejects.toThrow('This is no archive of a board')
    const other = createPack()
    other.entry({ name: 'holiday.txt' }, 'x')
    other.finalize()
    const chunks: Buffer[] = []
    for await (const chunk of Readable.from(other).pipe(createGzip())) chunks.push(chunk as Buffer)
    await expect(check(Buffer.concat(chunks))).rejects.toThrow('does not begin with board.json')
  })

  it('a later version of the format', async () => {
    const pack = createPack()
    pack.entry({ name: HEAD }, JSON.stringify({ format: FORMAT + 1, anything: 'else' }))
    pack.finalize()
    const chunks: Buffer[] = []
    for await (const chunk of Readable.from(pack).pipe(createGzip())) chunks.push(chunk as Buffer)
    await expect(check(Buffer.concat(chunks))).rejects.toThrow('update the board first')
  })
})
