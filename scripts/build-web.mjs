/** Builds the web app when its sources have changed since the last build. */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { withLock } from './lock.mjs'
import { isMain, pinnedNode, root, toolEnv } from './root.mjs'

const web = join(root, 'apps/web')
const dist = join(web, 'dist')
const stampFile = join(dist, '.build.json')
/** The browser's bundle and the server's (rendering), each a folder of dist/. */
const bundles = { client: [], server: ['--ssr', 'src/entry-server.tsx'] }

const sources = [
  ...['apps/web/src', 'apps/web/public', 'apps/web/index.html', 'apps/web/vite.config.ts', 'apps/web/package.json'],
  ...['packages/contract/src', 'package-lock.json'],
]
/** Files beside the sources that no bundle holds. */
const isBundled = (name) => !/\.test\.tsx?$|\.md$/.test(name)

function listFiles(path) {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && isBundled(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
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
/** Sizes and times tell in a few milliseconds that nothing was touched; contents tell whether a touch meant a change. */
const touchedHash = (files) =>
  hashOf(files, (file) => {
    const { size, mtimeMs } = statSync(file)
    return `${size} ${mtimeMs}`
  })
const contentHash = (files) => hashOf(files, (file) => readFileSync(file))

function readStamp() {
  try {
    return Object.keys(bundles).every((name) => existsSync(join(dist, name)))
      ? JSON.parse(readFileSync(stampFile, 'utf8'))
      : {}
  } catch {
    return {}
  }
}

function spawnVite(args, stdio) {
  const vite = [join(root, 'node_modules'), join(web, 'node_modules')]
    .map((modules) => join(modules, 'vite/bin/vite.js'))
    .find((path) => existsSync(path))
  const env = toolEnv({ NODE_ENV: 'production', ...(process.stderr.isTTY ? {} : { NO_COLOR: '1' }) })
  return spawn(pinnedNode, [vite, 'build', '--logLevel', 'warn', ...args], { cwd: web, env, stdio })
}

function build(name, args, outDir) {
  const child = spawnVite([...args, '--outDir', outDir, '--emptyOutDir'], ['ignore', 'pipe', 'pipe'])
  let output = ''
  child.stdout.on('data', (data) => (output += data))
  child.stderr.on('data', (data) => (output += data))
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ name, code: 1, output: String(error) }))
    child.on('close', (code) => resolve({ name, code, output }))
  })
}

/** Builds both bundles at every change, until the returned processes are stopped. */
export function watchWeb() {
  // From here on the bundles are the watchers': the next start looks at them anew.
  rmSync(stampFile, { force: true })
  return Object.values(bundles).map((args) => spawnVite([...args, '--watch'], 'inherit'))
}

/**
 * Builds if anything changed. New bundles are made aside and moved in when both are complete, so that a failed
 * or interrupted build leaves the old ones as they were.
 * @returns true when the bundles are up to date
 */
export async function buildWebIfStale() {
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
    return buildWeb({ touched, content })
  })
}

async function buildWeb(stamp) {
  const start = performance.now()
  console.log('Building the web app …')
  const next = join(dist, '.next')
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  const results = await Promise.all(Object.entries(bundles).map(([name, args]) => build(name, args, join(next, name))))
  const failed = results.filter(({ code }) => code !== 0)
  // What breaks one bundle mostly breaks the other in the same words: once is enough.
  const toShow = failed.length > 0 ? failed.slice(0, 1) : results
  for (const { output } of toShow) if (output.trim() !== '') console.error(output.trimEnd())
  if (failed.length > 0) {
    rmSync(next, { recursive: true, force: true })
    const names = failed.map(({ name }) => name).join(' and ')
    console.error(`The web app could not be built (${names} bundle); the reason stands above.`)
    return false
  }
  rmSync(stampFile, { force: true })
  for (const name of Object.keys(bundles)) {
    rmSync(join(dist, name), { recursive: true, force: true })
    renameSync(join(next, name), join(dist, name))
  }
  rmSync(next, { recursive: true, force: true })
  writeFileSync(stampFile, JSON.stringify(stamp))
  console.log(`Built the web app in ${((performance.now() - start) / 1000).toFixed(1)} s`)
  return true
}

if (isMain(import.meta.url)) process.exitCode = (await buildWebIfStale()) ? 0 : 1
