/** Lists of threads (subject.txt): `key.dat<>title (posts)`, or at JBBS `key.cgi,title(posts)`. */
import { decodeLog, detectEncoding } from './encoding.ts'
import { toLine } from './markup.ts'

const LINE = /^(\d{9,10})\.(?:dat<>|cgi,)(.*)$/

/** The titles of the threads in a list, by their keys; lines of other forms are left out. */
export function readSubjects(bytes: Buffer): Map<number, string> {
  const titles = new Map<number, string>()
  for (const line of decodeLog(bytes, detectEncoding(bytes)).split('\n')) {
    const match = LINE.exec(line.trimEnd())
    if (match === null) continue
    const [, key, rest = ''] = match
    const count = rest.lastIndexOf('(')
    const isCount = count >= 0 && /^\(\d{1,6}\)$/.test(rest.slice(count))
    titles.set(Number(key), toLine(isCount ? rest.slice(0, count) : rest))
  }
  return titles
}
