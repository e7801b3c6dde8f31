/** The scripts of package.json on a Node that cannot run TypeScript, as on a fresh clone. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

const folder = mkdtempSync(join(tmpdir(), 'shinobi-cli-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// A stub for the system's Node: without node_modules/.bin on the path, and refusing TypeScript as
// Node 20 does.
const olderNode = join(folder, 'node')
writeFileSync(olderNode, `#!/bin/sh\nexec "${process.execPath}" --no-strip-types "$@"\n`)
chmodSync(olderNode, 0o755)
const PATH = [folder, ...(process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))]
const env = { ...process.env, PATH: PATH.join(delimiter), NODE_OPTIONS: '' }

const write = (name: string, code: string): string => {
  const path = join(folder, name)
  writeFileSync(path, code)
  return path
}
const runOnOlderNode = (file: string, ...args: readonly string[]) =>
  spawn('node', ['scripts/cli.mjs', file, ...args], { cwd: root, env, stdio: ['pipe', 'pipe', 'inherit'] })

it.concurrent.each(Object.entries(scripts))('npm run %s -- --help works on an older Node', async (_name, command) => {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} --help`], { cwd: root, env })
  expect(stdout).toMatch(/usage: /i)
})

it('the older Node of these tests refuses TypeScript', async () => {
  const file = write('typed.ts', 'const answer: number = 42; console.log(answer)')
  await expect(promisify(execFile)('node', [file], { env })).rejects.toThrow('SyntaxError')
})

it('a program gets its arguments and standard input, and the caller its output and exit code', async () => {
  const file = write(
    'echo.ts',
    `import { text } from 'node:stream/consumers'
     console.log(JSON.stringify([process.argv.slice(2), await text(process.stdin)]))
     process.exitCode = 7 as number`,
  )
  const child = runOnOlderNode(file, '--one', 'two words')
  child.stdin.end('a password')
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
  expect([JSON.parse(output), code]).toEqual([[['--one', 'two words'], 'a password'], 7])
})

it.each(['SIGINT', 'SIGTERM'] as const)(
  '%s reaches a program, which may clean up and choose its exit code',
  async (signal) => {
    const file = write(
      `${signal}.ts`,
      `process.on('${signal}', (name: string) => { console.log(name); process.exit(3) })
     console.log('ready')
     process.stdin.resume()`,
    )
    const child = runOnOlderNode(file)
    child.stdout.once('data', () => child.kill(signal))
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')])
    expect([output.split('\n').filter(Boolean), code]).toEqual([['ready', signal], 3])
  },
)

it('the caller sees by which signal a program ended', async () => {
  const file = write('waits.ts', `console.log('ready' as string); process.stdin.resume()`)
  const child = runOnOlderNode(file)
  child.stdout.once('data', () => child.kill('SIGTERM'))
  child.stdout.resume()
  expect(await once(child, 'close')).toEqual([null, 'SIGTERM'])
})
