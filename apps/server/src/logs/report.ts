/** What an import has done, and what was odd about the logs: files and numbers, no texts. */
import { LOG_ODDITIES } from '@shinobi/dat/read-log'

/** What may be odd about a thread that is imported nevertheless. */
export const ODDITIES = {
  ...LOG_ODDITIES,
  listed_title: 'threads whose title is only in subject.txt',
  future_date: 'posts from the future; they get the time of the one before',
  odd_opening: 'threads whose first date is not that of their key; the key counts',
  picture: 'posts with a picture; it is not kept',
  long_text: 'posts that were cut after 65,536 characters',
} as const
export type Oddity = keyof typeof ODDITIES

/** Why a file is left out. */
export const LEFT_OUT = {
  no_key: 'no key: a time in seconds, of nine or ten digits',
  too_large: 'larger than 64 MB',
  unreadable: 'cannot be read',
  not_json: 'no log of docs/logs.md',
  empty: 'holds no post',
  too_many_posts: 'holds more than 100,000 posts',
  key_taken: 'its key belongs to another thread of the category',
  removed: 'its thread was removed here',
  grown_here: 'its thread got posts here, so the log cannot go on in it',
} as const
export type LeftOut = keyof typeof LEFT_OUT

interface Count {
  count: number
  readonly examples: string[]
}

/** Examples of each kind. */
const EXAMPLES = 3

export interface Report {
  readonly newThreads: number
  readonly newPosts: number
  /** Threads that had all posts of their log. */
  readonly unchanged: number
  readonly leftOut: number
  odd(kind: Oddity, file: string, count: number, numbers: readonly number[]): void
  leaveOut(why: LeftOut, file: string): void
  wrote(threads: number, posts: number): void
  kept(): void
  /** The lines for the operator. */
  describe(): string[]
}

export function createReport(): Report {
  const oddities = new Map<Oddity, Count>()
  const leftOut = new Map<LeftOut, Count>()
  let [newThreads, newPosts, unchanged] = [0, 0, 0]

  function note<Kind>(counts: Map<Kind, Count>, kind: Kind, count: number, examples: readonly string[]): void {
    const known = counts.get(kind) ?? { count: 0, examples: [] }
    counts.set(kind, known)
    known.count += count
    known.examples.push(...examples.slice(0, EXAMPLES - known.examples.length))
  }
  const linesOf = <Kind extends string>(counts: Map<Kind, Count>, words: Record<Kind, string>): string[] =>
    [...counts]
      .toSorted(([, one], [, other]) => other.count - one.count)
      .map(([kind, { count, examples }]) => `  ${count} ${words[kind]} (${examples.join(', ')})`)

  return {
    get newThreads() {
      return newThreads
    },
    get newPosts() {
      return newPosts
    },
    get unchanged() {
      return unchanged
    },
    get leftOut() {
      return [...leftOut.values()].reduce((sum, { count }) => sum + count, 0)
    },
    odd: (kind, file, count, numbers) =>
      note(oddities, kind, count, numbers.length === 0 ? [file] : numbers.map((number) => `${file}:${number}`)),
    leaveOut: (why, file) => note(leftOut, why, 1, [file]),
    wrote(threads, posts) {
      newThreads += threads
      newPosts += posts
    },
    kept() {
      unchanged += 1
    },
    describe: () => [
      ...(oddities.size === 0 ? [] : ['Odd:', ...linesOf(oddities, ODDITIES)]),
      ...(leftOut.size === 0 ? [] : ['Left out:', ...linesOf(leftOut, LEFT_OUT)]),
    ],
  }
}
