/**
 * `npm test`: everything CI runs. Stops at the first step that fails; the last line counts the
 * tests. Single steps: npm run check, npx vitest, npx playwright test (see CONTRIBUTING.md).
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { check } from './check.mjs'
import { ensureInstalled } from './install.mjs'
import { helpIfAsked } from './program.mjs'
import { startPostgres } from './postgres.mjs'
import { root } from './root.mjs'
import { run, runTogether, stopChildren } from './run.mjs'
import { CLIENT_PACKAGES, ensureSystemPackages, runsClients } from './system-packages.mjs'

helpIfAsked('usage: npm test\n\nRuns everything that CI runs. CONTRIBUTING.md names the commands for single tests.')

const start = performance.now()
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
]) {
  process.on(signal, () => {
    stopChildren()
    process.exit(128 + number)
  })
}

await ensureInstalled()
const withClients = runsClients()
ensureSystemPackages(withClients ? CLIENT_PACKAGES : [])

const reports = join(root, 'node_modules/.cache/shinobi-tests')
rmSync(reports, { recursive: true, force: true })
mkdirSync(reports, { recursive: true })

// Tests start the server many times: the compile cache of one start serves the next.
process.env['NODE_COMPILE_CACHE'] ??= join(root, 'node_modules/.cache/compiled')

const vitest = (title, name, args, options = {}) =>
  run(
    title,
    ['vitest', 'run', ...args, '--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, name)}`],
    options,
  )

/** Every statement that the server tests send, to be checked after them. */
const statements = join(reports, 'statements')
/**
 * On a cluster, these send statements of their own; a database that stands in for one accepts them
 * (apps/server/src/testing/stand-in-cluster.ts).
 */
const AS_ON_A_CLUSTER = [
  ...['db/shards', 'features/likes/likes.test', 'features/moderation/decisions', 'features/owners/owners'],
  ...['features/posts/members', 'features/posts/posts', 'features/posts/removals', 'features/posts/thread-limit'],
  ...['features/posts/withdrawals', 'features/reports/cases', 'features/reports/folding', 'features/reports/reports'],
  ...['features/search/matches', 'features/search/search.test', 'features/threads/member-names'],
  ...['features/threads/thread-heads', 'features/threads/threads-state'],
].map((name) => `src/${name}`)
/**
 * README promises for PostgreSQL 15: it accepts the migrations and every statement, and feeds a
 * replica. What the statements would ask of a cluster is checked there, too.
 */
const ON_DEBIAN = [
  ...['src/db/migrate.test.ts', 'src/db/statements.test.ts', 'src/db/fan-outs.test.ts'],
  'src/reading-replica.test.ts',
]

async function onDebianPostgres() {
  const database = await startPostgres()
  try {
    const vitestThere = (title, name, files, settings = {}) =>
      vitest(title, name, ['--project', 'server', ...files], {
        quiet: true,
        env: { TEST_DATABASE_URL: database.url, STATEMENTS: statements, ...settings },
      })
    return (
      (await vitestThere('server tests as on a cluster', 'vitest-cluster.json', AS_ON_A_CLUSTER, {
        TEST_STAND_IN_CLUSTER: '1',
      })) && (await vitestThere('server tests on the PostgreSQL of the system', 'vitest-system.json', ON_DEBIAN))
    )
  } finally {
    await database.stop()
  }
}

/** The long form (`npm run torture`) writes docs/reliability.md. */
const torture = () => run('torture, in short', ['node', 'torture/run.ts', '--short'], { quiet: true })

const clients = () =>
  run('browsers of 2ch', ['playwright', 'test', '--config', 'e2e/clients/playwright.config.ts'], {
    ...{ quiet: true, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'clients.json') } },
  })

const steps = [
  async () => {
    console.log('\n── types, lint, format, boundaries; web build')
    const results = await Promise.all([check(), buildIfStale()])
    return results.every(Boolean)
  },
  () =>
    vitest('unit and server tests', 'vitest.json', [], {
      env: { STATEMENTS: statements },
    }),
  () => {
    console.log('\n── the PostgreSQL of the system; torture; browsers of 2ch')
    if (!withClients) console.log('browsers of 2ch: not run, because JDim is not installed')
    // All wait for processes that they start, so that each uses the pauses of another.
    return runTogether([torture, onDebianPostgres, ...(withClients ? [clients] : [])])
  },
  () =>
    run('end-to-end tests in Chromium', ['playwright', 'test'], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: join(reports, 'playwright.json') },
    }),
]

let well = true
for (const step of steps) {
  well = await step()
  if (!well) break
}

const readReport = (name) => {
  const path = join(reports, name)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
}
const counts = [
  ...['vitest.json', 'vitest-cluster.json', 'vitest-system.json'].map((name) => {
    const { numPassedTests = 0, numFailedTests = 0 } = readReport(name)
    return { passed: numPassedTests, failed: numFailedTests }
  }),
  ...['clients.json', 'playwright.json'].map((name) => {
    const { expected = 0, unexpected = 0, flaky = 0 } = readReport(name).stats ?? {}
    return { passed: expected, failed: unexpected + flaky }
  }),
]
const sum = (key) => counts.reduce((total, count) => total + count[key], 0)

console.log(
  `\n${well ? 'Everything passed' : 'Stopped at the step that failed'} after ${((performance.now() - start) / 1000).toFixed(0)} s`,
)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(well ? 0 : 1)
