import { paths } from './paths.ts'

/** Only the path of an address is read; the host says whether it would have led away. */
const HERE = 'http://board.invalid'

/** Where to go after logging in: the `next` of a query, if it is an address of this board, else the profile. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (next === null || !next.startsWith('/') || !URL.canParse(next, HERE)) return paths.profile
  const { origin, pathname, search: query, hash } = new URL(next, HERE)
  // What begins with two strokes names a host, backslashes count as strokes, and tabs are not seen at all.
  return origin === HERE && !/^\/[/\\]/.test(pathname) ? pathname + query + hash : paths.profile
}
