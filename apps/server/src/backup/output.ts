/** The output of a backup: a file that appears when it is complete, or a pipe. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { syncPath } from '../lib/sync-path.ts'
import { BackupRefusal } from './refusal.ts'

/**
 * All methods but `discard` reject with a BackupRefusal that says why the output cannot be written.
 */
export interface Output {
  /** Resolves when more data can be accepted. */
  write(chunk: Buffer): Promise<void>
  /** Syncs the file and gives it its final name; an existing one is replaced. */
  commit(): Promise<void>
  /** Deletes the incomplete file, synchronously, because a signal handler calls it. */
  discard(): void
}

export async function openFile(file: string): Promise<Output> {
  const path = resolve(file)
  // No process id: in a container it may be that of a backup which was killed.
  const half = `${path}.${randomBytes(4).toString('hex')}.tmp`
  const explained = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw explain(error, `The archive ${file}`)
    })
  const handle = await explained(open(half, 'wx', 0o600))
  return {
    write: (chunk) => explained(handle.writeFile(chunk)),
    async commit() {
      await explained(handle.sync())
      await explained(handle.close())
      await explained(rename(half, path))
      await syncPath(dirname(path))
    },
    discard() {
      rmSync(half, { force: true })
      // A file that is left open ends the process when its handle is collected.
      handle.close().catch(() => {})
    },
  }
}

export function openPipe(stream: Writable): Output {
  // Writes reject with the same error; without a listener it would end the process.
  stream.on('error', () => {})
  return {
    write: (chunk) =>
      new Promise((taken, failed) => {
        stream.write(chunk, (error) => (error == null ? taken() : failed(explain(error, 'The pipe'))))
      }),
    commit: async () => {},
    discard: () => {},
  }
}

function explain(error: unknown, what: string): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code === 'EPIPE') return new BackupRefusal('The reader of the pipe closed it before the backup was complete.')
  if (/^(ENOSPC|EDQUOT|EFBIG)$/.test(code)) {
    return new BackupRefusal(`${what} cannot be written, as there is no space left (${code}). Nothing was kept.`)
  }
  return new BackupRefusal(`${what} cannot be written (${message}).`)
}
