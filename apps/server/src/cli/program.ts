/**
 * The command line of the programs beside the server (`npm run admin`, `news`, `seed` …): reads the
 * arguments, reports errors and sets the exit code, which is 2 when the program was called wrongly.
 */
import { parseArgs, type ParseArgsConfig } from 'node:util'
import { explainSetup } from '../explain-setup.ts'
import { NoBoardError } from './open-board.ts'

/** The program was called wrongly. */
export class UsageError extends Error {}

/** The process's arguments. @throws UsageError */
export function readArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

interface Program<Wanted> {
  readonly help: string
  /** Null for the help. @throws UsageError */
  read(): Wanted | null
  /** @returns what to print */
  run(wanted: Wanted): Promise<string | void>
  /** Errors that the user can correct, whose message is the one line that they see. */
  readonly refusals?: readonly (abstract new (...args: never[]) => Error)[]
  /** The one line for other errors that the user can correct; null for any other error. */
  explain?(error: unknown): string | null
}

export async function runProgram<Wanted>(program: Program<Wanted>): Promise<void> {
  try {
    const wanted = program.read()
    const text = wanted === null ? program.help : await program.run(wanted)
    if (text !== undefined) console.log(text)
  } catch (error) {
    console.error(explain(error as Error, program))
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}

function explain<Wanted>(error: Error, program: Program<Wanted>): string {
  if (error instanceof UsageError) return `${error.message}\n\n${program.help}`
  if ([NoBoardError, ...(program.refusals ?? [])].some((kind) => error instanceof kind)) return error.message
  return program.explain?.(error) ?? explainSetup(error) ?? error.stack ?? String(error)
}
