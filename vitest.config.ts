import { defineConfig } from 'vitest/config'

/** Tests of the server that need no database. */
const NO_DATABASE = ['apps/server/src/{lib,process}/**/*.test.ts', 'apps/server/src/{logger,table-owners}.test.ts']

/** Long enough for two databases on two busy cores: only a hanging test fails. */
const TIMEOUT_MS = 30_000
/**
 * For tests with a board: a busy machine takes seconds for a process or a query, and they start
 * several and send hundreds.
 */
const BOARD_TIMEOUT_MS = 4 * TIMEOUT_MS
/**
 * What a test waits for comes at some time: only what never comes fails it. Vitest's own second is
 * shorter than a query, or a pause, of a busy machine.
 */
const pollFor = (testTimeout: number) => ({ poll: { timeout: testTimeout / 2 } })

export default defineConfig({
  test: {
    // More than the two cores, because tests of the server wait for the disk and for processes.
    maxWorkers: 3,
    // No module keeps what a test has done, so files share a worker (isolate): starting one and
    // loading the same modules again takes half as long as the tests. Workers are of one project,
    // so projects go one after another (groupOrder).
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          sequence: { groupOrder: 0 },
          setupFiles: ['./vitest.setup.ts'],
          include: [
            'packages/{cards,contract,dat,text,worker-thread}/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'scripts/*.test.ts',
            ...NO_DATABASE,
          ],
          // Vitest reads style sheets as empty files; tokens.test.ts measures this one.
          css: { include: [/tokens\.css/] },
          testTimeout: TIMEOUT_MS,
          expect: pollFor(TIMEOUT_MS),
        },
      },
      {
        test: {
          name: 'newsroom',
          isolate: false,
          sequence: { groupOrder: 1 },
          setupFiles: ['./vitest.setup.ts'],
          include: ['packages/newsroom/src/**/*.test.ts'],
          testTimeout: TIMEOUT_MS,
          expect: pollFor(TIMEOUT_MS),
        },
      },
      {
        test: {
          // With its own PostgreSQL (testing/template.ts), or with that of TEST_DATABASE_URL.
          name: 'server',
          isolate: false,
          sequence: { groupOrder: 2 },
          globalSetup: ['./apps/server/src/testing/template.ts'],
          setupFiles: ['./vitest.setup.ts'],
          include: ['apps/server/src/**/*.test.ts'],
          exclude: NO_DATABASE,
          testTimeout: BOARD_TIMEOUT_MS,
          hookTimeout: BOARD_TIMEOUT_MS,
          expect: pollFor(BOARD_TIMEOUT_MS),
        },
      },
    ],
  },
})
