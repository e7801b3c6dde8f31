/** `npm start`: installs what is missing, builds what is stale, and serves the board. */
import { join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { helpIfAsked, runProgram } from './program.mjs'
import { fail, root } from './root.mjs'

helpIfAsked(`usage: npm start

Installs what is missing, builds what is stale, and serves the board. Settings are environment variables, or lines of the file
.env; README.md lists them all.`)

await ensureInstalled()
if (!(await buildIfStale())) fail('Not started, because the board could not be built.')

runProgram([join(root, 'apps/server/dist/server/main.js'), ...process.argv.slice(2)], {
  NODE_ENV: process.env.NODE_ENV ?? 'production',
  // The compile cache of one start serves the next, which is then faster.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled'),
})
