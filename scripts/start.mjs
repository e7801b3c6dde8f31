/** `npm start`: installs what is missing, builds what is stale, and serves the board. Arguments go to the server. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { buildIfStale } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { fail, pinnedNode, root, toolEnv } from './root.mjs'

await ensureInstalled()
if (!(await buildIfStale())) fail('Not started, because the board could not be built.')

const server = spawn(pinnedNode, [join(root, 'apps/server/dist/server/main.js'), ...process.argv.slice(2)], {
  cwd: root,
  env: toolEnv({
    NODE_ENV: process.env.NODE_ENV ?? 'production',
    // What was compiled for one start serves the next, which then needs neither the time nor the compiler.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled'),
  }),
  stdio: 'inherit',
})
// Ctrl-C reaches the server through the terminal as well; it takes a second signal of the same stop calmly.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => server.kill(signal))
// npm stops the shell between it and this program, and the shell tells nobody: without a parent, the server stops too.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    server.kill('SIGTERM')
  }, 250)
  watch.unref()
}
server.on('error', (error) => fail(`The server could not be started: ${error.message}`))
server.on('close', (code, signal) => {
  if (signal === null) process.exit(code ?? 1)
  // Ended by a signal: end by the same one, so that whoever started this sees the truth.
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
})
