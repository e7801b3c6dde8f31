/**
 * `npm run bench`: installs what is missing, builds what is stale, and measures. Plain JavaScript, because before the
 * installation there may only be an older Node, which cannot run TypeScript. Arguments go to bench/run.ts.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale } from '../scripts/build.mjs'
import { ensureInstalled } from '../scripts/install.mjs'
import { fail, pinnedNode, root, toolEnv } from '../scripts/root.mjs'

await ensureInstalled()
if (!(await buildIfStale())) fail('Not measured, because the board could not be built.')

const bench = spawn(pinnedNode, [join(root, 'bench/run.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: toolEnv(),
  stdio: 'inherit',
})
// Ctrl-C reaches the bench through the terminal as well; it cleans up once and then ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => bench.kill(signal))
bench.on('error', (error) => fail(`The bench could not be started: ${error.message}`))
bench.on('close', (code) => process.exit(code ?? 1))
