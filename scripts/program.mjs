/**
 * Shared by the scripts of package.json: --help, and running a program on the pinned Node in their
 * place.
 */
import { spawn } from 'node:child_process'
import { fail, pinnedNode, root, toolEnv } from './root.mjs'

/**
 * Prints `usage` and exits when --help is among the arguments, before anything is installed or
 * built.
 */
export function helpIfAsked(usage) {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return
  console.log(usage)
  process.exit(0)
}

/**
 * Runs a program on the pinned Node, with this one's terminal, standard input and signals, and
 * exits as it does.
 * @param {string[]} command path of the program, then its arguments
 * @param {Record<string, string>} [env]
 */
export function runProgram(command, env = {}) {
  const program = spawn(pinnedNode, command, { cwd: root, env: toolEnv(env), stdio: 'inherit' })
  // Ctrl-C in a terminal reaches the program twice: from the terminal, and from here.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal))
  // npm may stop the shell between itself and this script without a signal to the script: when the
  // parent is gone, stop the program too.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      program.kill('SIGTERM')
    }, 250)
    watch.unref()
  }
  program.on('error', (error) => fail(`${command[0]} could not be started: ${error.message}`))
  program.on('close', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    // End by the same signal, so that the caller sees it.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
