import { paths } from './paths.ts'

/**
 * Base for parsing, of which only the path is used. A different origin in the result means a
 * foreign address.
 */
const HERE = 'http://board.invalid'

/**
 * The page after logging in: the `next` of a query, if it is an address of this board, else the
 * profile.
 */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (next === null || !next.startsWith('/') || !URL.canParse(next, HERE)) return paths.profile
  const { origin, pathname, search: query, hash } = new URL(next, HERE)
  // Browsers read a path that starts with two slashes as a host, treat backslashes as slashes, and
  // ignore tabs.
  return origin === HERE && !/^\/[/\\]/.test(pathname) ? pathname + query + hash : paths.profile
}
