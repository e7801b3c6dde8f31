/** Restores a board from an archive, or only checks that this is possible. */
import type { Readable } from 'node:stream'
import type { Client } from 'pg'
import { migrations as ours, type Migrations } from '../db/migrate.ts'
import { withConnection } from './connection.ts'
import { countRows } from './dump.ts'
import { inLoading } from './load.ts'
import type { Head, Manifest } from './manifest.ts'
import type { Pictures } from './pictures.ts'
import { hold, readArchive, type ArchiveReader } from './read-archive.ts'
import { notePictures } from './reconcile-pictures.ts'
import { BackupRefusal } from './refusal.ts'
import type { SecretKeeper } from './secret-keeper.ts'

export interface RestoreTarget {
  readonly databaseUrl: string
  readonly pictures: Pictures
  readonly secret: SecretKeeper
}

export interface Restored {
  readonly head: Head
  readonly manifest: Manifest
  /** Foreign tables in the archive, which were left out. */
  readonly leftOut: readonly string[]
}

/**
 * Reads and verifies everything before anything takes effect: the database's transaction commits
 * last, after pictures and secret are in place, so that a failed restore can be repeated.
 * @param show is called with the entry being read
 * @throws BackupRefusal
 */
export async function restore(
  input: Readable,
  target: RestoreTarget,
  show: (what: string) => void,
  migrations: Migrations = ours,
): Promise<Restored> {
  try {
    const archive = await readArchive(input)
    return await withConnection(target.databaseUrl, (client) => fill(client, archive, target, show, migrations))
  } finally {
    // Lets the writer of a pipe see that it is not read any more.
    input.destroy()
  }
}

const fill = (
  client: Client,
  archive: ArchiveReader,
  { pictures, secret: keeper }: RestoreTarget,
  show: (what: string) => void,
  migrations: Migrations,
): Promise<Restored> =>
  inLoading(client, archive.head, migrations, async (loading) => {
    const notes = await notePictures(loading.db)
    const intake = await pictures.receive()
    try {
      let secret: string | null = null
      for await (const content of archive.contents()) {
        show(content.kind === 'table' ? content.table : content.kind === 'picture' ? 'pictures' : 'secret')
        if (content.kind === 'table') await loading.load(content.table, content.body)
        else if (content.kind === 'secret') {
          secret = (await hold(content.body)).toString().trim()
          keeper.check(secret)
        } else {
          await notes.note(content.picture)
          await intake.write(content.picture, content.size, content.body)
        }
      }
      if (secret === null) throw new BackupRefusal('The archive is damaged: it contains no secret.')
      const { head, manifest } = archive
      show('indexes')
      await loading.finish(manifest)
      const renamed = await notes.reconcile()
      show('pictures')
      await intake.place(renamed)
      await keeper.keep(secret)
      return { head, manifest, leftOut: loading.leftOut }
    } catch (error) {
      await intake.discard()
      throw error
    }
  })

/**
 * Reads a whole archive without side effects. @throws BackupRefusal for one that cannot be restored
 */
export async function checkArchive(
  input: Readable,
  show: (what: string) => void,
): Promise<{ head: Head; manifest: Manifest }> {
  const archive = await readArchive(input)
  const rows = new Map(archive.head.tables.map(({ name }) => [name, 0]))
  let pictures = 0
  let hasSecret = false
  for await (const { kind, name, body, ...content } of archive.contents()) {
    show(name)
    hasSecret ||= kind === 'secret'
    if (kind === 'picture') pictures += 1
    for await (const chunk of body) {
      if ('table' in content) rows.set(content.table, rows.get(content.table)! + countRows(chunk))
    }
  }
  const { head, manifest } = archive
  const missing = [...rows].find(([table, count]) => manifest.tables[table]?.rows !== count)
  if (missing !== undefined || manifest.pictures.files !== pictures || !hasSecret) {
    throw new BackupRefusal('The archive is damaged: it contains less or more than its manifest says.')
  }
  return { head, manifest }
}
