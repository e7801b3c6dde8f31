import { defineConfig } from 'vitest/config'

/** Tests of the server that need no database. */
const NO_DATABASE = ['apps/server/src/{lib,process}/**/*.test.ts', 'apps/server/src/logger.test.ts']

/** Two cores may be busy with two databases; what hangs is told apart from what is slow. */
const TIMEOUT_MS = 30_000

export default defineConfig({
  test: {
    // Vitest leaves a core free; on two cores that would be half of them.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['./vitest.setup.ts'],
          include: [
            'packages/{contract,text}/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'scripts/*.test.ts',
            ...NO_DATABASE,
          ],
          testTimeout: TIMEOUT_MS,
        },
      },
      {
        test: {
          name: 'newsroom',
          setupFiles: ['./vitest.setup.ts'],
          include: ['packages/newsroom/src/**/*.test.ts'],
          testTimeout: TIMEOUT_MS,
        },
      },
      {
        test: {
          // On a PostgreSQL of its own (testing/template.ts), or on the one of TEST_DATABASE_URL.
          name: 'server',
          globalSetup: ['./apps/server/src/testing/template.ts'],
          setupFiles: ['./vitest.setup.ts'],
          include: ['apps/server/src/**/*.test.ts'],
          exclude: NO_DATABASE,
          testTimeout: TIMEOUT_MS,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
