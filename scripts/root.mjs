/**
 * The repository's root, and the environment of its tools. No dependencies: used before anything is
 * installed.
 */
import { realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** Whether this is the file that was named on the command line. */
export const isMain = (url) => process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url)

export const bin = join(root, 'node_modules', '.bin')
/** The pinned Node (docs/decisions/0002); the system's may be older. */
export const pinnedNode = join(bin, 'node')

/** The environment with the repository's own tools first on the path, including its Node. */
export const toolEnv = (extra = {}) => ({
  ...process.env,
  PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
  ...extra,
})

/** Exits with one line that says what to do; a stack trace would only hide it. */
export function fail(message) {
  console.error(message)
  process.exit(1)
}
