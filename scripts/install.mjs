/**
 * Installs the dependencies when they are missing or differ from package-lock.json; otherwise takes
 * milliseconds. `node scripts/install.mjs --installed` marks the present ones as complete, for an
 * image without development tools (Dockerfile).
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { withLock } from './lock.mjs'
import { bin, fail, isMain, pinnedNode, root } from './root.mjs'

const stampFile = join(root, 'node_modules', '.shinobi-installed')
const read = (path) => readFileSync(join(root, path), 'utf8')

function fingerprint() {
  const hash = createHash('sha256')
  const { workspaces } = JSON.parse(read('package.json'))
  for (const path of [
    'package.json',
    'package-lock.json',
    '.npmrc',
    ...workspaces.map((name) => `${name}/package.json`),
  ]) {
    hash.update(path).update(existsSync(join(root, path)) ? read(path) : '')
  }
  return hash.digest('hex')
}

function isStamped(wanted) {
  try {
    return readFileSync(stampFile, 'utf8') === wanted && existsSync(pinnedNode)
  } catch {
    return false
  }
}

/** Only optional packages for this platform are required; npm may or may not install the others. */
const isForThisMachine = ({ optional, devOptional, libc, os = [], cpu = [] }) =>
  !(optional || devOptional) || (libc === undefined && os.includes(process.platform) && cpu.includes(process.arch))

/**
 * Whether node_modules already has what the lock file requires, because somebody ran npm by hand.
 * npm writes its own record last, so an interrupted install does not count as complete.
 */
function isInstalledByHand() {
  try {
    const wanted = JSON.parse(read('package-lock.json')).packages
    const present = JSON.parse(read('node_modules/.package-lock.json')).packages
    if (!existsSync(pinnedNode)) return false
    // A manifest that the lock file does not include yet is left to `npm ci`, which reports it.
    for (const name of ['', ...JSON.parse(read('package.json')).workspaces]) {
      const manifest = JSON.parse(read(join(name, 'package.json')))
      for (const kind of ['dependencies', 'devDependencies']) {
        if (JSON.stringify(manifest[kind] ?? {}) !== JSON.stringify(wanted[name]?.[kind] ?? {})) return false
      }
    }
    return Object.entries(wanted).every(([path, entry]) => {
      if (!path.includes('node_modules/') || entry.link || !isForThisMachine(entry)) return true
      return present[path]?.version === entry.version
    })
  } catch {
    return false
  }
}

/**
 * Runs npm on the Node that npm itself belongs to: the pinned one is in the folder that `npm ci`
 * empties.
 */
function runNpm(args, stdio) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const PATH = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((path) => path !== bin)
    .join(delimiter)
  const usable = npm !== undefined && node !== undefined && !node.startsWith(join(root, 'node_modules'))
  const [program, first] = usable ? [node, [npm]] : ['npm', []]
  const child = spawn(program, [...first, ...args, '--loglevel=error'], {
    cwd: root,
    env: { ...process.env, PATH },
    stdio,
  })
  return new Promise((resolve) => {
    child.on('error', () => fail('npm was not found. Install Node.js 20 or newer together with npm.'))
    child.on('close', (code) => resolve(code === 0 && existsSync(pinnedNode)))
  })
}

/**
 * Makes sure that node_modules has what package-lock.json requires, or exits. It writes to standard
 * error only and reads no input, because standard input and output belong to the program that
 * follows.
 */
export async function ensureInstalled() {
  const wanted = fingerprint()
  if (isStamped(wanted)) return
  await withLock('install', async () => {
    if (isStamped(wanted)) return
    if (!isInstalledByHand()) {
      console.error('Installing dependencies (npm ci) …')
      rmSync(stampFile, { force: true })
      // npm ci refuses a lock file that lacks other platforms' packages, as a partial mirror of the
      // registry leaves it (scripts/complete-lock.mjs). npm install uses the same versions, and
      // does not change the file.
      if (!(await runNpm(['ci'], 'ignore'))) {
        console.error('npm ci did not succeed. Trying npm install with the same lock file …')
        if (!(await runNpm(['install', '--no-save'], ['ignore', 2, 2]))) {
          fail('The dependencies could not be installed; the reason stands above. The next start tries again.')
        }
      }
    }
    writeFileSync(stampFile, wanted)
  })
}

if (isMain(import.meta.url) && process.argv[2] === '--installed') writeFileSync(stampFile, fingerprint())
