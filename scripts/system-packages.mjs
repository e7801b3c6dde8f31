/**
 * Installs what the tests need beyond npm: a browser, a Japanese font, PostgreSQL, Redis and nginx.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findPostgres } from './postgres.mjs'
import { fail } from './root.mjs'

/**
 * Chromium without windows: the same engine, in half the time of the full browser in headless mode.
 */
export const chromiumPath = () => process.env.CHROMIUM_PATH ?? '/usr/bin/chromium-headless-shell'

const hasJapaneseFont = () => {
  // The path of Debian's package, on a machine without fontconfig's programs; elsewhere fc-list
  // finds any Japanese font.
  if (existsSync('/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc')) return true
  const { stdout, status } = spawnSync('fc-list', [':lang=ja', 'file'], { encoding: 'utf8' })
  return status === 0 && stdout.trim() !== ''
}

const NEEDED = [
  { name: 'chromium-headless-shell', isThere: () => existsSync(chromiumPath()) },
  { name: 'fonts-noto-cjk', isThere: hasJapaneseFont },
  { name: 'postgresql', isThere: () => findPostgres() !== null },
  {
    name: 'redis-server',
    isThere: () => ['/usr/bin', '/usr/local/bin'].some((folder) => existsSync(`${folder}/redis-server`)),
  },
  {
    name: 'nginx-light',
    isThere: () => ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/bin/nginx'].some(existsSync),
  },
]
/** What the browsers of 2ch need beside these. */
export const CLIENT_PACKAGES = [
  ...['jdim', 'Xvfb', 'xdotool'].map((program) => ({
    name: program === 'Xvfb' ? 'xvfb' : program,
    isThere: () => existsSync(`/usr/bin/${program}`),
  })),
  { name: 'imagemagick', isThere: () => existsSync('/usr/bin/import') },
]

const missingOf = (needed) => needed.filter(({ isThere }) => !isThere()).map(({ name }) => name)

function aptGet(...args) {
  console.log(`apt-get ${args.join(' ')}`)
  // In runlevel 1 packages do not start their servers; the tests start their own.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  const { status, stdout, stderr } = spawnSync('apt-get', ['-qq', ...args], {
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1_048_576,
  })
  if (status !== 0) console.log(`${stdout ?? ''}${stderr ?? ''}`.trimEnd())
  return status === 0
}

/** Whether packages can be installed here. */
const canInstall = () => process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0

/**
 * Whether browsers of 2ch run here: on Debian as root they are installed; few other systems have
 * them.
 */
export const runsClients = () => canInstall() || missingOf(CLIENT_PACKAGES).length === 0

/**
 * Installs missing packages where that is allowed (Debian, as root); elsewhere exits with one line
 * that names them.
 * @param {typeof NEEDED} more beside what `npm test` needs
 */
export function ensureSystemPackages(more = []) {
  const missing = () => missingOf([...NEEDED, ...more])
  const names = missing()
  if (names.length === 0) return
  if (!canInstall()) {
    fail(
      `The tests need ${names.join(', ')}. On Debian: sudo apt-get install ${names.join(' ')}. ` +
        'Elsewhere: install Chromium (and set CHROMIUM_PATH), a Japanese font, PostgreSQL 15 or newer, Redis 7 or newer and nginx 1.22 or newer.',
    )
  }
  // Package lists of a fresh machine may be missing, or so old that they name deleted files. Where
  // an update fails, the listed versions may be in the cache.
  aptGet('update')
  const install = () => aptGet('install', '-y', '--no-install-recommends', ...names)
  if (!install()) install()
  const still = missing()
  if (still.length > 0)
    fail(`The tests need ${still.join(', ')}, and apt-get could not install it; its messages are above.`)
}
