/** Reads an archive entry by entry, as a stream, and verifies every byte. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract as createExtract } from 'tar-stream'
import { decompressorFor } from './compression.ts'
import { decodeHead, decodeManifest, HEAD, readName, type EntryKind, type Head, type Manifest } from './manifest.ts'
import { BackupRefusal } from './refusal.ts'

interface Entry {
  readonly name: string
  readonly isFile: boolean
  readonly size: number
  readonly body: AsyncIterable<Buffer>
}

/**
 * Limit of entries that are buffered: the head, lists of checksums, the manifest and the secret.
 */
const HELD_MAX_BYTES = 16 * 1024 * 1024

export type Content = Extract<EntryKind, { kind: 'table' | 'picture' | 'secret' }> & {
  readonly name: string
  readonly size: number
  /** Must be read before the next entry is requested. */
  readonly body: AsyncIterable<Buffer>
}

export interface ArchiveReader {
  readonly head: Head
  /**
   * The contents of the archive, in order. Bytes are passed on before they are verified, so the
   * caller may only commit them after the last entry, when `manifest` is known.
   * @throws BackupRefusal for a damaged or incomplete archive, and for other files
   */
  contents(): AsyncGenerator<Content, void>
  /** Known after the last of the contents. */
  readonly manifest: Manifest
}

const damaged = (what: string): BackupRefusal => new BackupRefusal(`The archive is damaged: ${what}.`)

/** @throws BackupRefusal */
export async function readArchive(input: Readable): Promise<ArchiveReader> {
  const entries = untar(input)
  const digest = createHash('sha256')
  let [count, bytes] = [0, 0]
  let listed: string[] = []
  let manifest: Manifest | null = null

  /** Passes an entry's bytes on. Its checksum is compared with the next list. */
  async function* verified(name: string, size: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
    const hash = createHash('sha256')
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
    listed.push(`${hash.digest('hex')}  ${name}\n`)
    count += 1
    bytes += size
  }

  function compare(list: Buffer): void {
    digest.update(list)
    const expected = list.toString()
    if (expected !== listed.join('')) {
      const line = listed.find((each) => !expected.includes(each))
      throw damaged(line === undefined ? 'entries are missing' : `${line.slice(66, -1)} is not what was written`)
    }
    listed = []
  }

  function complete(read: Manifest, head: Head): void {
    const isWhole = read.entries === count && read.bytes === bytes && read.checksums === digest.digest('hex')
    if (listed.length > 0 || !isWhole) throw damaged('entries are missing')
    const named = head.tables.map(({ name }) => name)
    if (Object.keys(read.tables).length !== named.length || !named.every((name) => Object.hasOwn(read.tables, name))) {
      throw damaged('its tables are not those of its manifest')
    }
    manifest = read
  }

  const first = await entries.next()
  if (first.done === true || first.value.name !== HEAD) {
    throw new BackupRefusal(`This is no archive of a board: it does not begin with ${HEAD}.`)
  }
  const head = decodeHead(await hold(verified(HEAD, first.value.size, first.value.body)))

  return {
    head,
    get manifest() {
      if (manifest === null) throw new Error('the archive has not been read to its end')
      return manifest
    },
    async *contents() {
      for await (const { name, size, isFile, body } of entries) {
        const kind = isFile ? readName(name) : null
        if (kind === null || kind.kind === 'head') {
          throw damaged(`it holds ${JSON.stringify(name)}, which no backup writes`)
        }
        if (manifest !== null) throw damaged('it goes on after its end')
        if (kind.kind === 'table' && !head.tables.some((table) => table.name === kind.table)) {
          throw damaged(`its head does not name the table ${kind.table}`)
        }
        if (kind.kind === 'checksums') compare(await hold(body))
        else if (kind.kind === 'manifest') complete(decodeManifest(await hold(body)), head)
        else yield { ...kind, name, size, body: verified(name, size, body) }
      }
      if (manifest === null) throw damaged('its end is missing')
    },
  }
}

/** An entry of a few kilobytes, as one buffer. */
export async function hold(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size > HELD_MAX_BYTES) throw damaged('an entry is too large')
  }
  return Buffer.concat(chunks)
}

/**
 * The entries of a compressed tar stream. @throws BackupRefusal also for errors of the decompressor
 * or tar
 */
async function* untar(input: Readable): AsyncGenerator<Entry, void> {
  const decompressor = decompressorFor(await peek(input))
  const extract = createExtract()
  const ended = new AbortController()
  const fed = pipeline(input, decompressor, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      if (!extract.write(chunk)) await once(extract, 'drain', { signal: ended.signal })
    }
    extract.end(null)
  })
  fed.catch((error: Error) => extract.destroy(error))
  try {
    for await (const source of extract) {
      const { name, type, size } = source.header
      yield { name, size, isFile: type === 'file', body: explained(source as AsyncIterable<Buffer>) }
    }
    await fed
  } catch (error) {
    throw explain(error)
  } finally {
    ended.abort()
    extract.destroy(null)
  }
}

/** An error later in the archive may occur in the middle of an entry. */
async function* explained(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield* body
  } catch (error) {
    throw explain(error)
  }
}

/** An unreadable disk or pipe is no fault of the archive. */
const explain = (error: unknown): unknown =>
  error instanceof Error && 'syscall' in error ? error : damaged(`it cannot be read on (${(error as Error).message})`)

/** Reads the first bytes of a stream without consuming them. */
async function peek(input: Readable): Promise<Buffer> {
  for (;;) {
    const start = input.read(4) as Buffer | null
    if (start !== null) {
      input.unshift(start)
      return start
    }
    if (input.readableEnded) return Buffer.alloc(0)
    const either = new AbortController()
    await Promise.race(['readable', 'end'].map((event) => once(input, event, either)))
    either.abort()
  }
}
