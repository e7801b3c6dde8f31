/**
 * Runs a program of the repository on the pinned Node, once the dependencies are installed:
 * node scripts/cli.mjs FILE [argument …]
 * Plain JavaScript, because a fresh clone may only have an older Node, which cannot run TypeScript.
 */
import { resolve } from 'node:path'
import { ensureInstalled } from './install.mjs'
import { runProgram } from './program.mjs'
import { fail, root } from './root.mjs'

const [file, ...args] = process.argv.slice(2)
if (file === undefined) fail('usage: node scripts/cli.mjs FILE [argument …]')
await ensureInstalled()
runProgram([resolve(root, file), ...args])
