/**
 * `npm run screenshot`: the pictures of the README, taken from a seeded board in a throw-away
 * folder: docs/screenshots/board.png (the list at 1280 px) and thread.png (a thread on a phone),
 * with small copies for the manifest.
 * The labels of categories need a font with emoji (fonts-noto-color-emoji), which no test needs.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { buildIfStale } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { helpIfAsked } from './program.mjs'
import { fail, pinnedNode, root, toolEnv } from './root.mjs'
import { chromiumPath, ensureSystemPackages } from './system-packages.mjs'

helpIfAsked('usage: npm run screenshot\n\nTakes the pictures of README.md: docs/screenshots/board.png and thread.png.')
await ensureInstalled()
ensureSystemPackages()
if (!(await buildIfStale())) fail('No pictures, because the board could not be built.')
const { chromium } = await import('@playwright/test')

const dataDir = mkdtempSync(join(tmpdir(), 'shinobi-screenshot-'))
const env = toolEnv({ DATA_DIR: dataDir, DATABASE_URL: '', PORT: '0', LOG_LEVEL: 'silent' })
const seeded = spawnSync(
  pinnedNode,
  [join(root, 'apps/server/src/seed/seed.ts'), '--new-board', '--threads', '120', '--posts', '3000', '--seed', '7'],
  { env, stdio: ['ignore', 'ignore', 'inherit'] },
)
if (seeded.status !== 0) fail('No pictures, because the board could not be filled.')

const server = spawn(pinnedNode, [join(root, 'apps/server/dist/server/main.js')], {
  env,
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const url = await openAddress()
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const folder = join(root, 'docs/screenshots')
  mkdirSync(folder, { recursive: true })
  const shoot = async (path, file, context) => {
    const page = await browser.newPage({ locale: 'ja-JP', timezoneId: 'Asia/Tokyo', colorScheme: 'dark', ...context })
    await page.goto(url + path, { waitUntil: 'load' })
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(1_000)
    await page.screenshot({ path: join(folder, file), animations: 'disabled' })
    await page.close()
  }
  await shoot('/', 'board.png', { viewport: { width: 1280, height: 800 } })
  const [busiest] = await (await fetch(`${url}/api/threads?sort=popular&limit=1`)).json()
  await shoot(`/thread/${busiest._id}`, 'thread.png', {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  await browser.close()
  // Small copies for the dialog that installs the board (apps/web/public/site.webmanifest).
  const { default: sharp } = await import('sharp')
  for (const [name, width] of [
    ['board', 1280],
    ['thread', 390],
  ]) {
    const copy = sharp(join(folder, `${name}.png`))
      .resize(width)
      .webp({ quality: 62, effort: 6 })
    await copy.toFile(join(root, `apps/web/public/screenshots/${name}.webp`))
  }
  console.log('docs/screenshots/board.png and thread.png are up to date.')
} finally {
  server.kill('SIGTERM')
  await new Promise((resolve) => server.once('exit', resolve))
  rmSync(dataDir, { recursive: true, force: true })
}

async function openAddress() {
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /open at http:\/\/[^:]+:(\d+)/.exec(line)?.[1]
    if (port !== undefined) return `http://127.0.0.1:${port}`
  }
  return fail('No pictures, because the server did not start.')
}
