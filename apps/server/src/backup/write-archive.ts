/** Writes a compressed tar archive entry by entry, with checksums of all entries. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { pack as createPack } from 'tar-stream'
import { compressor, type Compression } from './compression.ts'
import { checksumList, encode, MANIFEST, type Manifest } from './manifest.ts'
import type { Output } from './output.ts'

/** Entries per list of checksums, so that lists stay small however many pictures a board has. */
export const CHECKSUMS_PER_LIST = 1_000

type Bytes = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

export interface ArchiveWriter {
  /**
   * Adds an entry. @throws when the body has more or fewer bytes than `size`, and on errors of the
   * output
   */
  add(name: string, size: number, body: Bytes): Promise<void>
  /** Completes the archive. Resolves when the output has its last byte, with the manifest. */
  finish(counts: Pick<Manifest, 'tables' | 'pictures'>): Promise<Manifest>
  /** Ends an incomplete archive. */
  abort(): Promise<void>
}

/** Begins an archive; its first entry must be the head. The caller commits the output. */
export function writeArchive(output: Output, compression: Compression): ArchiveWriter {
  const pack = createPack()
  const piped = pipeline(
    async function* () {
      yield* pack
    },
    compressor(compression),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) await output.write(chunk)
    },
  )
  // The next write rejects with the failure; until then nobody awaits it.
  piped.catch((error: Error) => pack.destroy(error))
  pack.on('error', () => {})

  const mtime = new Date()
  const digest = createHash('sha256')
  let [entries, bytes, lists] = [0, 0, 0]
  let listed: string[] = []

  async function write(name: string, size: number, body: Bytes): Promise<string> {
    const hash = createHash('sha256')
    const written = Promise.withResolvers<void>()
    written.promise.catch(() => {})
    try {
      const entry = pack.entry({ name, size, mode: 0o600, mtime }, (error) =>
        error == null ? written.resolve() : written.reject(error),
      )
      entry.on('error', () => {})
      for await (const chunk of body) {
        hash.update(chunk)
        if (!entry.write(chunk)) await once(entry, 'drain')
      }
      entry.end(null)
      await written.promise
    } catch (error) {
      // A failing output also destroys the entry; report the first cause.
      if (pack.destroying) await piped
      throw error
    }
    return hash.digest('hex')
  }

  const writeBuffer = (name: string, buffer: Buffer): Promise<string> => write(name, buffer.length, [buffer])

  async function writeList(): Promise<void> {
    const list = Buffer.from(listed.join(''))
    listed = []
    lists += 1
    digest.update(list)
    await writeBuffer(checksumList(lists), list)
  }

  async function add(name: string, size: number, body: Bytes): Promise<void> {
    listed.push(`${await write(name, size, body)}  ${name}\n`)
    entries += 1
    bytes += size
    if (listed.length >= CHECKSUMS_PER_LIST) await writeList()
  }

  return {
    add,
    async finish(counts) {
      if (listed.length > 0) await writeList()
      const manifest: Manifest = { entries, bytes, checksums: digest.digest('hex'), ...counts }
      await writeBuffer(MANIFEST, encode(manifest))
      pack.finalize()
      await piped
      return manifest
    },
    async abort() {
      pack.destroy(null)
      await piped.catch(() => {})
    },
  }
}
