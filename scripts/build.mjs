/**
 * Builds the web app and the server's bundle when their sources have changed since the last build.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { withLock } from './lock.mjs'
import { helpIfAsked } from './program.mjs'
import { isMain, pinnedNode, root, toolEnv } from './root.mjs'
import { listOffered, packSource } from './source-archive.mjs'

const web = join(root, 'apps/web')
const server = join(root, 'apps/server')
/**
 * The bundles: the browser's, the server's renderer, and the server. The browser's scripts and
 * styles of the build before are kept: open pages, and servers that still run, refer to them.
 */
const bundles = [
  { name: 'client', from: web, args: [], to: join(web, 'dist/client'), before: join(web, 'dist/client-before') },
  { name: 'rendering', from: web, args: ['--ssr', 'src/entry-server.tsx'], to: join(web, 'dist/server') },
  { name: 'server', from: server, args: [], to: join(server, 'dist/server') },
]
const stampFile = join(web, 'dist/.build.json')
/** The source of the whole repository, for readers, with its version. */
const archive = join(web, 'dist/source.tar.gz')
const archiveStamp = join(web, 'dist/.source.json')

const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const sources = [
  ...workspaces.flatMap((folder) => [`${folder}/src`, `${folder}/package.json`]),
  ...['apps/web/public', 'apps/web/index.html', 'apps/web/vite.config.ts', 'apps/server/vite.config.ts'],
  ...['package.json', 'package-lock.json'],
]
/** Files beside the sources that are in no bundle. */
const isBundled = (path) => !/\.test\.tsx?$|\.md$|\/(testing|seed|cli)\//.test(path)

function listFiles(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(isBundled)
    .toSorted()
}

const hashOf = (files, describe) => {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${relative(root, file)}\0`)
      .update(describe(file))
      .update('\0')
  return hash.digest('hex')
}
/**
 * Sizes and times show within milliseconds that no file was touched; contents show whether a
 * touched file changed.
 */
const touchedHash = (files) =>
  hashOf(files, (file) => {
    const { size, mtimeMs } = statSync(file)
    return `${size} ${mtimeMs}`
  })
const contentHash = (files) => hashOf(files, (file) => readFileSync(file))

function readStamp() {
  try {
    return bundles.every(({ to }) => existsSync(to)) ? JSON.parse(readFileSync(stampFile, 'utf8')) : {}
  } catch {
    return {}
  }
}

function spawnVite({ from, args }, more, stdio) {
  const vite = [join(root, 'node_modules'), join(web, 'node_modules')]
    .map((modules) => join(modules, 'vite/bin/vite.js'))
    .find((path) => existsSync(path))
  const env = toolEnv({ NODE_ENV: 'production', ...(process.stderr.isTTY ? {} : { NO_COLOR: '1' }) })
  return spawn(pinnedNode, [vite, 'build', '--logLevel', 'warn', ...args, ...more], { cwd: from, env, stdio })
}

/** Where a bundle is built: on the same disk as its target, so that it can be moved there. */
const asideOf = ({ name, to }) => join(dirname(to), '.next', name)

function build(bundle) {
  const { name } = bundle
  const child = spawnVite(bundle, ['--outDir', asideOf(bundle), '--emptyOutDir'], ['ignore', 'pipe', 'pipe'])
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ name, code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ name, code, output }))
  })
}

/**
 * Rebuilds the web app's bundles at every change, until the returned processes are stopped. The
 * server runs from its sources then.
 */
export function watchWeb() {
  // The watchers overwrite the bundles, so the next start must check them again.
  rmSync(stampFile, { force: true })
  return bundles.filter(({ from }) => from === web).map((bundle) => spawnVite(bundle, ['--watch'], 'inherit'))
}

/**
 * Builds if anything changed, and packs the source of the build. @returns true when everything is
 * up to date
 */
export async function buildIfStale() {
  if (!(await buildBundles())) return false
  await packIfStale()
  return true
}

/** Documents and tests change the archive, but no bundle. */
async function packIfStale() {
  const paths = listOffered(root, sources)
  const touched = touchedHash(paths.map((path) => join(root, path)))
  const isPacked = () =>
    existsSync(archive) && existsSync(archiveStamp) && readFileSync(archiveStamp, 'utf8') === touched
  if (isPacked()) return
  await withLock('build', async () => {
    if (isPacked()) return
    writeFileSync(`${archive}.next`, await packSource(root, paths))
    renameSync(`${archive}.next`, archive)
    writeFileSync(archiveStamp, touched)
  })
}

/**
 * Builds if anything changed. New bundles are built aside and moved in when all are complete, so
 * that a failed or interrupted build leaves the old ones in place.
 * @returns true when the bundles are up to date
 */
async function buildBundles() {
  const files = sources.flatMap((path) => listFiles(join(root, path)))
  const touched = touchedHash(files)
  if (readStamp().touched === touched) return true
  return withLock('build', async () => {
    const stamp = readStamp()
    if (stamp.touched === touched) return true
    const content = contentHash(files)
    if (stamp.content === content) {
      writeFileSync(stampFile, JSON.stringify({ touched, content }))
      return true
    }
    return buildAll({ touched, content })
  })
}

export function moveIn({ aside, to, before }) {
  if (before !== undefined && existsSync(to)) {
    rmSync(before, { recursive: true, force: true })
    renameSync(to, before)
  }
  rmSync(to, { recursive: true, force: true })
  renameSync(aside, to)
}

async function buildAll(stamp) {
  const start = performance.now()
  console.log('Building the board …')
  const asides = new Set(bundles.map((bundle) => dirname(asideOf(bundle))))
  const removeAsides = () => asides.forEach((aside) => rmSync(aside, { recursive: true, force: true }))
  removeAsides()
  const results = await Promise.all(bundles.map(build))
  const failed = results.filter(({ code }) => code !== 0)
  // One error usually breaks several bundles, with the same output: show it once.
  const toShow = failed.length > 0 ? failed.slice(0, 1) : results
  for (const { output } of toShow) if (output.trim() !== '') console.error(output.trimEnd())
  if (failed.length > 0) {
    removeAsides()
    const names = failed.map(({ name }) => name).join(' and ')
    console.error(`The board could not be built (${names} bundle); the reason stands above.`)
    return false
  }
  rmSync(stampFile, { force: true })
  for (const bundle of bundles) moveIn({ aside: asideOf(bundle), ...bundle })
  removeAsides()
  writeFileSync(stampFile, JSON.stringify(stamp))
  console.log(`Built the board in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return true
}

if (isMain(import.meta.url)) {
  helpIfAsked(
    'usage: npm run build\n\nBuilds the web app and the server when their sources have changed since the last build.',
  )
  process.exitCode = (await buildIfStale()) ? 0 : 1
}
