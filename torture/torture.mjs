/**
 * `npm run torture`: installs what is missing, builds what is stale, and tortures the board. Plain
 * JavaScript, because before the installation there may only be an older Node, which cannot run
 * TypeScript. Arguments are passed to torture/run.ts.
 */
import { join } from 'node:path'
import { buildIfStale } from '../scripts/build.mjs'
import { ensureInstalled } from '../scripts/install.mjs'
import { runProgram } from '../scripts/program.mjs'
import { fail, root } from '../scripts/root.mjs'

const args = process.argv.slice(2)
await ensureInstalled()
if (!args.includes('--help') && !(await buildIfStale())) fail('Not run, because the board could not be built.')
runProgram([join(root, 'torture/run.ts'), ...args])
