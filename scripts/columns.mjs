/**
 * Checks that comments fit in 100 columns: node scripts/columns.mjs
 *
 * Code is wrapped by the formatter, which leaves comments alone. Lines with an address or an
 * instruction for a tool may be longer, because neither can be broken.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fail, isMain, root } from './root.mjs'
import { listSource } from './source-archive.mjs'

const COLUMNS = 100
const READ = /\.(ts|tsx|mjs|cjs|js|css)$/
const COMMENT = /^\s*(\/\/|\/?\*)/
const UNBREAKABLE = /https?:\/\/|oxlint-|@ts-|@vitest|<reference/

/**
 * Comment lines that are too long, as `file:line: length`.
 * @param {string} path named in the result
 * @param {string} text
 */
export const findLongComments = (path, text) =>
  text
    .split('\n')
    .flatMap((line, index) =>
      line.length > COLUMNS && COMMENT.test(line) && !UNBREAKABLE.test(line)
        ? [`${path}:${index + 1}: ${line.length} columns`]
        : [],
    )

if (isMain(import.meta.url)) {
  const long = listSource(root, ['.'])
    .filter((path) => READ.test(path))
    .flatMap((path) => findLongComments(path, readFileSync(join(root, path), 'utf8')))
  if (long.length > 0) fail(`${long.join('\n')}\nWrap comments at ${COLUMNS} columns.`)
}
