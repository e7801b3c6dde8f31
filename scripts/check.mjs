/** `npm run check`: all static checks, without running the board. Fast enough for every commit. */
import { ensureInstalled } from './install.mjs'
import { helpIfAsked } from './program.mjs'
import { runTogether, run } from './run.mjs'
import { isMain } from './root.mjs'

/** @type {readonly [title: string, command: string[]][]} */
const CHECKS = [
  ['types: server, contract, text, bench, torture', ['tsc', '-p', 'apps/server']],
  ['types: newsroom', ['tsc', '-p', 'packages/newsroom']],
  ['types: cards', ['tsc', '-p', 'packages/cards']],
  ['types: dat', ['tsc', '-p', 'packages/dat']],
  ['types: worker thread', ['tsc', '-p', 'packages/worker-thread']],
  ['types: web', ['tsc', '-p', 'apps/web']],
  ['types: e2e', ['tsc', '-p', 'e2e']],
  ['lock file', ['node', 'scripts/complete-lock.mjs', '--check']],
  ['citations', ['node', 'scripts/citations.mjs']],
  ['columns of comments', ['node', 'scripts/columns.mjs']],
  ['owners of tables', ['vitest', 'run', '--project', 'unit', 'table-owners', 'architecture']],
  ['lint', ['oxlint', '--deny-warnings']],
  ['format', ['oxfmt', '--check', '.']],
  [
    'boundaries',
    [
      'depcruise',
      '--config',
      '.dependency-cruiser.cjs',
      '--output-type',
      'err-long',
      'apps',
      'packages',
      'e2e',
      'bench',
      'torture',
    ],
  ],
]

export const check = () =>
  runTogether(
    CHECKS.map(
      ([title, command]) =>
        () =>
          run(title, command, { quiet: true }),
    ),
  )

if (isMain(import.meta.url)) {
  helpIfAsked(
    'usage: npm run check\n\nChecks types, lint, format, citations, columns, owners of tables, and boundaries between features and layers.',
  )
  await ensureInstalled()
  process.exitCode = (await check()) ? 0 : 1
}
