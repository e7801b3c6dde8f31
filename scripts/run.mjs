/**
 * Runs the tools of a check or test with a heading and a time, and shows the whole output of a
 * failure.
 */
import { spawn } from 'node:child_process'
import { root, toolEnv } from './root.mjs'

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Running children, which must stop when this program stops. */
const children = new Set()
export function stopChildren() {
  for (const child of children) child.kill('SIGTERM')
}

/**
 * Runs a command of node_modules/.bin or the path.
 * @param {string} title the heading
 * @param {string[]} command
 * @param {{ env?: Record<string, string | undefined>, quiet?: boolean }} [options] quiet: show the
 * output only on failure
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function run(title, [program, ...args], { env = {}, quiet = false } = {}) {
  const start = performance.now()
  if (!quiet) console.log(`\n── ${title}`)
  const child = spawn(program, args, {
    cwd: root,
    env: toolEnv(env),
    stdio: ['ignore', quiet ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
  })
  children.add(child)
  const chunks = []
  child.stdout?.on('data', (chunk) => chunks.push(chunk))
  child.stderr?.on('data', (chunk) => chunks.push(chunk))
  const problem = await new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message))
    child.on('close', (code, signal) => resolve(code === 0 ? null : signal === null ? `exit code ${code}` : signal))
  })
  children.delete(child)
  const output = Buffer.concat(chunks).toString().trimEnd()
  if (problem === null) {
    console.log(quiet ? `ok  ${title} (${seconds(start)})` : `── ${title}: ok (${seconds(start)})`)
    return true
  }
  if (output !== '') console.log(output)
  console.log(`${quiet ? 'not ok ' : '── '}${title}: failed, ${problem} (${seconds(start)})`)
  return false
}

/**
 * Runs all steps, two at a time, even after a failure, so that one run shows everything that is
 * wrong.
 */
export async function runTogether(steps) {
  const waiting = [...steps]
  const results = []
  const worker = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(await step())
  }
  await Promise.all([worker(), worker()])
  return results.every(Boolean)
}
