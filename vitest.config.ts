import { defineConfig } from 'vitest/config'

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
            'packages/contract/src/**/*.test.ts',
            'apps/web/src/**/*.test.{ts,tsx}',
            'apps/server/src/lib/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          // On a real database: PostgreSQL where TEST_DATABASE_URL names one, else the embedded PostgreSQL in memory.
          name: 'server',
          globalSetup: ['./apps/server/src/testing/template.ts'],
          setupFiles: ['./vitest.setup.ts'],
          include: ['apps/server/src/**/*.test.ts'],
          exclude: ['apps/server/src/lib/**'],
          // Two cores may be busy with two databases; what hangs is told apart from what is slow.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
