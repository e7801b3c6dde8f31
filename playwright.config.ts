import { defineConfig } from '@playwright/test'
import { join } from 'node:path'
import { notOnDesktops, notOnPhones } from './e2e/widths.ts'

const ROOT = import.meta.dirname

/** End-to-end tests in the system's Chromium. The fixtures start a board for each test. */
export default defineConfig({
  testDir: './e2e',
  // Other programs than this Chromium: e2e/clients.
  testIgnore: 'clients/**',
  globalSetup: './e2e/template.ts',
  outputDir: './e2e/.output',
  // A test that passes only on the second attempt has found a bug.
  retries: 0,
  // When a page is broken for everybody, the rest would only wait for their time limits.
  maxFailures: 20,
  // Long enough for four browsers and their boards on two slow cores that do as much beside them:
  // only a hanging test fails.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  // More than the two cores, because journeys wait for half of their time: with three, a fifth of
  // the cores' time was left.
  workers: 4,
  forbidOnly: process.env['CI'] !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ?? join(ROOT, 'e2e/.output/results.json') }],
  ],
  use: {
    locale: 'ja-JP',
    timezoneId: 'Asia/Tokyo',
    // The night; tests of the paper choose it.
    colorScheme: 'dark',
    // Only the journeys without a network need one: requests that it answers cannot be delayed.
    serviceWorkers: 'block',
    // Tracing takes a quarter of the time: rerun a failing test with --trace on.
    trace: 'off',
    // Without motion elements do not move under a click on a busy machine. Tests of motion override
    // it.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell',
      // Without a UTF-8 locale Chromium saves a file with a Japanese name as `download`.
      env: { ...process.env, LANG: 'C.UTF-8', LC_ALL: 'C.UTF-8' },
      // Chromium's sandbox does not work in a container; the other arguments keep Chromium from
      // connecting to external hosts.
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // Pages of a test live for seconds: without compiling for speed, journeys take a tenth less
        // time.
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
  },
  projects: [
    {
      name: 'phone',
      grepInvert: notOnPhones,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
    { name: 'desktop', grepInvert: notOnDesktops, use: { viewport: { width: 1280, height: 800 } } },
  ],
})
