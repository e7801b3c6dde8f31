/** Where logs are read from: a folder, a file, or a tar archive. */
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import { extract as createExtract } from 'tar-stream'
import { readSubjects } from '@shinobi/dat/subjects'

/** A log as it was found. */
export interface LogFile {
  /** Its path within the source. */
  readonly name: string
  /** Of the thread, by the name of the file; null where it is none. */
  readonly key: number | null
  readonly isJson: boolean
  /** Decompressed; the reason, where it cannot be read. */
  readonly content: Buffer | FileProblem
}

export type FileProblem = 'too_large' | 'unreadable'

/** What is known of a source before its logs are read. */
export interface Survey {
  readonly files: number
  readonly keys: readonly number[]
  /** Of subject.txt. */
  titleOf(file: Pick<LogFile, 'name' | 'key'>): string | undefined
}

export interface LogSource {
  survey(): Promise<Survey>
  files(): AsyncGenerator<LogFile, void>
}

/** The source does not exist, cannot be read, or is of no kind that can be. */
export class SourceError extends Error {}

/** The largest log, decompressed: a hundred times the largest that 2ch kept. */
const LOG_MAX_BYTES = 64 * 1024 * 1024

const FILE = /^(?:(\d{9,10})\.(?:dat|json)|.{1,200}\.json)(?:\.gz)?$/
const SUBJECTS = 'subject.txt'

/** @throws SourceError */
export async function openSource(path: string): Promise<LogSource> {
  const found = await stat(path).catch(() => null)
  if (found === null) throw new SourceError(`There is no file or folder ${path}.`)
  if (found.isDirectory()) return toSource(() => walkFolder(path))
  if (/\.(tar|tar\.gz|tgz)$/.test(path)) return toSource((wants) => walkTar(path, wants))
  if (!FILE.test(basename(path))) {
    throw new SourceError('A log is named KEY.dat, KEY.dat.gz or NAME.json, an archive .tar, .tar.gz or .tgz.')
  }
  return toSource(async function* () {
    yield { name: basename(path), read: () => readBounded(path) }
  })
}

interface Entry {
  readonly name: string
  read(): Promise<Buffer | FileProblem>
}

/** @param wants whether the content of an entry is needed */
type Walk = (wants: (name: string) => boolean) => AsyncGenerator<Entry, void>

const isLog = (name: string): boolean => FILE.test(basename(name))
const isList = (name: string): boolean => basename(name) === SUBJECTS
const keyOf = (name: string): number | null => {
  const key = FILE.exec(basename(name))?.[1]
  return key === undefined ? null : Number(key)
}

function toSource(walk: Walk): LogSource {
  return {
    async survey() {
      let files = 0
      const keys: number[] = []
      const lists = new Map<string, Map<number, string>>()
      for await (const { name, read } of walk(isList)) {
        if (isLog(name)) files += 1
        const key = keyOf(name)
        if (key !== null) keys.push(key)
        if (!isList(name)) continue
        const content = await read()
        if (Buffer.isBuffer(content)) lists.set(dirname(name), readSubjects(content))
      }
      return {
        ...{ files, keys },
        titleOf: ({ name, key }) => (key === null ? undefined : lists.get(dirname(name))?.get(key)),
      }
    },
    async *files() {
      for await (const { name, read } of walk(isLog)) {
        if (!isLog(name)) continue
        const content = await decompress(await read())
        yield { name, key: keyOf(name), isJson: /\.json(?:\.gz)?$/.test(name), content }
      }
    },
  }
}

/** In the order of their names, folder by folder. @throws SourceError */
async function* walkFolder(root: string, folder = root): AsyncGenerator<Entry, void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw new SourceError(`The folder ${folder} cannot be read (${error.message}).`)
  })
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) yield* walkFolder(root, path)
    else if (entry.isFile()) yield { name: relative(root, path), read: () => readBounded(path) }
  }
}

async function readBounded(path: string): Promise<Buffer | FileProblem> {
  try {
    return (await stat(path)).size > LOG_MAX_BYTES ? 'too_large' : await readFile(path)
  } catch {
    return 'unreadable'
  }
}

async function* walkTar(path: string, wants: (name: string) => boolean): AsyncGenerator<Entry, void> {
  const extract = createExtract()
  const input = createReadStream(path)
  const fed = path.endsWith('.tar') ? pipeline(input, extract) : pipeline(input, createGunzip(), extract)
  // The loop below rejects with the same error.
  fed.catch(() => {})
  try {
    for await (const source of extract) {
      const { name, type, size } = source.header
      const isKept = type === 'file' && wants(name)
      const chunks: Buffer[] = []
      for await (const chunk of source as AsyncIterable<Buffer>) {
        if (isKept && size <= LOG_MAX_BYTES) chunks.push(chunk)
      }
      if (type !== 'file') continue
      yield { name, read: async () => (size > LOG_MAX_BYTES ? 'too_large' : Buffer.concat(chunks)) }
    }
  } catch (error) {
    throw new SourceError(`The archive ${path} cannot be read on (${(error as Error).message}).`)
  } finally {
    input.destroy()
    extract.destroy(null)
  }
}

const inflate = promisify(gunzip)

/** What a broken gzip file gives before its end is taken. */
async function decompress(content: Buffer | FileProblem): Promise<Buffer | FileProblem> {
  if (!Buffer.isBuffer(content) || content[0] !== 0x1f || content[1] !== 0x8b) return content
  try {
    return await inflate(content, { maxOutputLength: LOG_MAX_BYTES, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : 'unreadable'
  }
}
