/** `npm run test:clients`: a real browser of 2ch (JDim) reads and writes. */
import { buildIfStale } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { helpIfAsked } from './program.mjs'
import { fail } from './root.mjs'
import { run } from './run.mjs'
import { CLIENT_PACKAGES, ensureSystemPackages } from './system-packages.mjs'

helpIfAsked(
  'usage: npm run test:clients\n\nRuns JDim under Xvfb against a board. CLIENT_PICTURES=FOLDER takes pictures of it.',
)
await ensureInstalled()
ensureSystemPackages(CLIENT_PACKAGES)
if (!(await buildIfStale())) fail('No test, because the board could not be built.')
const well = await run('browsers of 2ch', ['playwright', 'test', '--config', 'e2e/clients/playwright.config.ts'])
process.exit(well ? 0 : 1)
