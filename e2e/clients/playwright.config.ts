import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** `npm run test:clients`: real browsers of 2ch against a board. */
export default defineConfig({
  ...base,
  testDir: '.',
  globalSetup: '../template.ts',
  outputDir: '../.output',
  testIgnore: [],
  workers: 1,
  reporter: 'list',
  projects: [{ name: 'clients' }],
})
