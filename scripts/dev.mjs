/**
 * `npm run dev`: the board on seeded data in data/dev, rebuilt and restarted at every change.
 * Reload the page to see it. It runs as in production (rendered pages, one process), so that what
 * works here works there.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildIfStale, watchWeb } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { helpIfAsked } from './program.mjs'
import { fail, pinnedNode, root, toolEnv } from './root.mjs'

helpIfAsked(`usage: npm run dev

Serves a board filled with seeded threads and people from DATA_DIR (default data/dev), built again and restarted at every change.`)

const dataDir = process.env.DATA_DIR ?? join(root, 'data/dev')
const env = toolEnv({ DATA_DIR: dataDir, NODE_ENV: 'development' })

await ensureInstalled()
if (!(await buildIfStale())) fail('Not started, because the board could not be built.')

if (process.env.DATABASE_URL === undefined && !existsSync(join(dataDir, 'postgres'))) {
  console.log(
    'Filling a board to look at, with the member kaede (kaede-no-himitsu) and the administrator hanzo (hanzo-no-himitsu) …',
  )
  const seeded = spawnSync(
    pinnedNode,
    ['apps/server/src/seed/seed.ts', '--new-board', '--people', '--threads', '150', '--posts', '4000'],
    {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  if (seeded.status !== 0) {
    rmSync(dataDir, { recursive: true, force: true })
    fail('The board could not be filled; the reason stands above.')
  }
}

const watched = ['apps/server/src', 'packages', 'apps/web/dist/server']
const children = [
  ...watchWeb(),
  spawn(
    pinnedNode,
    [...watched.map((path) => `--watch-path=${path}`), '--watch-preserve-output', 'apps/server/src/main.ts'],
    {
      cwd: root,
      env,
      stdio: 'inherit',
    },
  ),
]
const stop = () => {
  for (const child of children) child.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
for (const child of children) {
  child.on('close', (code) => {
    stop()
    process.exitCode ||= code ?? 0
  })
}
