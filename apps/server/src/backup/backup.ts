/** Writes an archive of a live board. */
import type { Client } from 'pg'
import type { Compression } from './compression.ts'
import { withConnection } from './connection.ts'
import { dumpTable, inSnapshot, type Snapshot } from './dump.ts'
import { encode, FORMAT, HEAD, SECRET, tablePart, type Head, type Manifest } from './manifest.ts'
import type { Output } from './output.ts'
import type { Pictures } from './pictures.ts'
import type { Progress } from './progress.ts'
import { writeArchive, type ArchiveWriter } from './write-archive.ts'

export interface BackupSource {
  readonly databaseUrl: string
  readonly pictures: Pictures
  /** Signs sessions and seals second factors: neither works on the restored board without it. */
  readonly secret: string
  /** Version of the product. */
  readonly version: string
}

/**
 * Writes the database first, from one snapshot with everything committed by then. The pictures
 * follow; they never change. Pictures of later posts may be included, but nothing shows them.
 * @throws BackupRefusal; then nothing of the output remains
 */
export async function backUp(
  { databaseUrl, pictures, secret, version }: BackupSource,
  output: Output,
  compression: Compression,
  progress: Progress,
): Promise<Manifest> {
  const archive = writeArchive(output, compression)
  try {
    const pictureBytes = await measure(pictures)
    const database = await withConnection(databaseUrl, (client) =>
      inSnapshot(client, async (snapshot) => {
        const tableBytes = snapshot.tables.reduce((sum, { bytes }) => sum + bytes, 0)
        await addBuffer(archive, HEAD, encode(describeBoard(snapshot, version)))
        // Early, so that a restore under another secret fails before hours of work.
        await addBuffer(archive, SECRET, Buffer.from(`${secret}\n`))
        const tables = await addTables(client, snapshot, archive, (name, bytes) =>
          progress.show(name, bytes / (tableBytes + pictureBytes)),
        )
        return { tables, bytes: tableBytes }
      }),
    )
    const added = await addPictures(pictures, archive, (bytes) =>
      progress.show('pictures', Math.min(1, (database.bytes + bytes) / (database.bytes + pictureBytes))),
    )
    const manifest = await archive.finish({ tables: database.tables, pictures: added })
    await output.commit()
    return manifest
  } catch (error) {
    await archive.abort()
    output.discard()
    throw error
  } finally {
    progress.end()
  }
}

async function measure(pictures: Pictures): Promise<number> {
  let bytes = 0
  for await (const picture of pictures.list()) bytes += picture.bytes
  return bytes
}

const describeBoard = ({ schema, tables }: Snapshot, version: string): Head => ({
  format: FORMAT,
  version,
  schema,
  createdAt: new Date().toISOString(),
  tables: tables.map(({ name, columns, sequences }) => ({ name, columns, sequences })),
})

const addBuffer = (archive: ArchiveWriter, name: string, bytes: Buffer): Promise<void> =>
  archive.add(name, bytes.length, [bytes])

/**
 * @param show is called with the table that is read, and the bytes read so far from all tables, by
 * PostgreSQL's estimates
 */
async function addTables(
  client: Client,
  { tables }: Snapshot,
  archive: ArchiveWriter,
  show: (table: string, bytes: number) => void,
): Promise<Manifest['tables']> {
  const counts: Manifest['tables'] = {}
  let through = 0
  for (const table of tables) {
    let [parts, rows, bytes] = [0, 0, 0]
    for await (const part of dumpTable(client, table)) {
      parts += 1
      await addBuffer(archive, tablePart(table.name, parts), part.bytes)
      rows += part.rows
      bytes += part.bytes.length
      show(table.name, through + table.bytes * Math.min(1, rows / Math.max(1, table.rows)))
    }
    counts[table.name] = { rows, bytes }
    through += table.bytes
    show(table.name, through)
  }
  return counts
}

/** @param show is called with the number of bytes written */
async function addPictures(
  pictures: Pictures,
  archive: ArchiveWriter,
  show: (bytes: number) => void,
): Promise<Manifest['pictures']> {
  let [files, bytes] = [0, 0]
  for await (const { name } of pictures.list()) {
    const picture = await pictures.read(name)
    // Removed since it was listed.
    if (picture === null) continue
    await archive.add(name, picture.bytes, picture.body)
    files += 1
    bytes += picture.bytes
    show(bytes)
  }
  return { files, bytes }
}
