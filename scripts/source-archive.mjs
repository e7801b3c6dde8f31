/**
 * Packs the source of the build into one file, which a board without SOURCE_URL offers its readers
 * (AGPL §13).
 */
import { spawnSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

/**
 * Outside of a checkout: the folders and files of the repository's root. Anything else there is the
 * operator's.
 */
const FOLDERS = new Set([
  ...['.ci', '.github', 'LICENSES', 'apps', 'bench', 'docs', 'e2e', 'ops', 'packages', 'scripts', 'torture'],
])
const FILES =
  /^(\.(dependency-cruiser\.cjs|dockerignore|editorconfig|gitignore|node-version|npmrc|ox\w+\.json)|[A-Z]+(\.md)?|REUSE\.toml|Dockerfile|compose\.yaml|(package|package-lock|tsconfig\.base)\.json|\w+\.(config|setup)\.ts)$/
/** Generated or downloaded files and folders. */
const LEFT_OUT = new Set(['node_modules', 'dist', 'data', '.output', '.cache', '.next', 'test-results', '.DS_Store'])
/**
 * Templates that an operator edits in place: they may hold passwords, and the program needs none of
 * them.
 */
const isOperators = (path) => path.startsWith('ops/') || path === 'compose.yaml' || basename(path) === '.npmrc'
const isSecret = (name) => /^\.env(\.|$)|\.(log|pem|key|p12)$/.test(name)

/**
 * Paths of the source files below a folder, in order: the tracked files as they are on disk, and
 * untracked files in the `bundled` folders; without git, the files of the repository.
 */
export function listSource(folder, bundled) {
  const paths = listTracked(folder, bundled) ?? listFolder(folder)
  const isSource = (path) => !path.split('/').some((part) => LEFT_OUT.has(part)) && !isSecret(basename(path))
  const isFile = (path) => lstatSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true
  return [...new Set(paths)].filter((path) => isSource(path) && isFile(path)).toSorted((a, b) => (a < b ? -1 : 1))
}

/** The source files that readers are offered. */
export const listOffered = (folder, bundled) => listSource(folder, bundled).filter((path) => !isOperators(path))

function listTracked(folder, bundled) {
  const list = (...options) => {
    const { status, stdout } = spawnSync('git', ['-C', folder, 'ls-files', '-z', ...options], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return status === 0 ? stdout.split('\0').filter(Boolean) : []
  }
  const tracked = list()
  // A folder inside another repository is not a checkout of ours.
  if (!tracked.includes('package.json')) return null
  return [...tracked, ...list('--others', '--exclude-standard', '--', ...bundled)]
}

const listFolder = (folder) =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? FOLDERS.has(entry.name)
        ? walk(folder, entry.name)
        : []
      : FILES.test(entry.name)
        ? [entry.name]
        : [],
  )

const walk = (folder, path) =>
  readdirSync(join(folder, path), { withFileTypes: true }).flatMap((entry) => {
    if (LEFT_OUT.has(entry.name)) return []
    const inner = `${path}/${entry.name}`
    return entry.isDirectory() ? walk(folder, inner) : [inner]
  })

/** The same files always give the same bytes. */
export async function packSource(folder, paths) {
  // Imported late: the first start of a board loads this file before anything is installed.
  const { pack: createPack } = await import('tar-stream')
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const pack = createPack()
  const packed = buffer(pack)
  for (const path of paths) {
    const isProgram = (lstatSync(join(folder, path)).mode & 0o100) !== 0
    const header = {
      name: `${name}-${version}/${path}`,
      mode: isProgram ? 0o755 : 0o644,
      mtime: new Date(946_684_800_000),
    }
    pack.entry(header, readFileSync(join(folder, path)))
  }
  pack.finalize()
  return gzipSync(await packed, { level: 9 })
}
