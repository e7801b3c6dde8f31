import { defineConfig } from '@playwright/test'

/** End-to-end tests in the system's Chromium. The fixtures start the servers, so that a test has a board of its own. */
export default defineConfig({
  testDir: './e2e',
  globalSetup: './e2e/template.ts',
  outputDir: './e2e/.output',
  // A test that passes only at the second try has found a bug.
  retries: 0,
  // Three browsers and their boards share two cores: what hangs is told apart from what is slow.
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // Journeys wait for half of their time.
  workers: 3,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? 'e2e/.output/results.json' }],
  ],
  use: {
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    // Tracing takes a quarter of the time: for a test that fails, run it again with --trace on.
    trace: 'off',
    // Things stand where they will stay: a press meets what it was meant for on a busy machine too. Tests of motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
      // No sandbox in a container; the others keep Chromium from calling hosts outside.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
  projects: [
    {
      name: 'phone',
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
  ],
})
