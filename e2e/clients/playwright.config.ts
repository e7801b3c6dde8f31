import { defineConfig } from '@playwright/test'
import base from '../../playwright.config.ts'

/** Real browsers of 2ch against a board. */
export default defineConfig({
  ...base,
  testDir: '.',
  globalSetup: '../template.ts',
  outputDir: '../.output',
  testIgnore: [],
  workers: 1,
  projects: [{ name: 'clients' }],
})
