/**
 * Everything the board has acknowledged, and everything it has shown to a reader. The checks
 * (check.ts) compare the board with it. A full thread is read as a whole once more, and only its
 * digest is kept.
 */
import { createHash } from 'node:crypto'
import type { Post } from '@shinobi/contract/posts'

/** Kinds of problems. Each has a column in the report; a single problem fails the run. */
export const PROBLEMS = {
  lost: 'acknowledged or shown once, and gone',
  doubled: 'one clientPostId, two posts',
  gap: 'numbers of a thread that are not 1 to n',
  reused: 'a number that had belonged to another post',
  changed: 'a post whose text is not what was sent',
  counter: 'a counter or total that is not the number of its rows',
  picture: 'a picture that is gone, cannot be decoded, or has changed',
  answer: 'an answer that is neither an acknowledgement nor a plain "not now"',
  outage: 'the board did not come back, ended by itself, or did not stop when told to',
} as const
export type ProblemKind = keyof typeof PROBLEMS

export interface Problem {
  readonly kind: ProblemKind
  readonly what: string
}

/** A post that the board has acknowledged or shown. */
export interface KnownPost {
  readonly id: string
  /** Of its text and picture. */
  readonly digest: string
}

export interface ThreadRecord {
  readonly id: string
  /** By number minus one; undefined for unknown posts. */
  readonly posts: (KnownPost | undefined)[]
  /** Number by marker (clientPostId) of each post that was read. */
  readonly markers: Map<string, number>
  /** Posts up to this number were read and compared. */
  checked: number
  /** Changed since the last check. */
  isTouched: boolean
  /** Posts being sent. */
  open: number
  /** No more posts are sent to it. */
  isFull: boolean
  /** Acknowledged posts, including the opening post. */
  acknowledged: number
}

/** A full thread, read as a whole after its last acknowledgement. */
export interface FullThread {
  readonly id: string
  readonly count: number
  readonly digest: string
}

/** A picture of an acknowledged or shown post. */
export interface KnownPicture {
  readonly urls: readonly string[]
  readonly width: number
  readonly height: number
  /** Hash of each file as first served; null until then. */
  hashes: readonly string[] | null
}

/** The like that a member has set or removed, and whether the board has acknowledged it. */
export interface KnownLike {
  readonly threadId: string
  /** Null for the thread itself. */
  readonly postId: string | null
  readonly userId: string
  liked: boolean
  /** A request is under way, so the state is unknown. */
  isOpen: boolean
  /** Incremented with each change. */
  version: number
}

/** Problems of each kind that are listed; the rest is only counted. */
const NAMED_MAX = 50

export class Ledger {
  readonly threads = new Map<string, ThreadRecord>()
  readonly full: FullThread[] = []
  readonly pictures: KnownPicture[] = []
  readonly likes = new Map<string, KnownLike>()
  /** Pictures before this one have been checked. */
  picturesChecked = 0
  acknowledged = { posts: 0, threads: 0, pictures: 0, likes: 0 }
  /** Posts that a reader saw before, or without, their acknowledgement. */
  resends = 0
  readonly #problems = new Map<ProblemKind, { count: number; named: string[] }>()
  readonly #reported = new Set<string>()
  readonly #say: (line: string) => void

  constructor(say: (line: string) => void) {
    this.#say = say
  }

  /** Every check finds a lost item again, so it counts once; wrong answers count each time. */
  report(kind: ProblemKind, what: string): void {
    if (kind !== 'answer' && this.#reported.has(`${kind} ${what}`)) return
    this.#reported.add(`${kind} ${what}`)
    const found = this.#problems.get(kind) ?? { count: 0, named: [] }
    found.count += 1
    if (found.named.length < NAMED_MAX) {
      found.named.push(what)
      this.#say(`${kind.toUpperCase()}: ${what}`)
    }
    this.#problems.set(kind, found)
  }

  countOf(kind: ProblemKind): number {
    return this.#problems.get(kind)?.count ?? 0
  }

  get problems(): readonly Problem[] {
    return [...this.#problems].flatMap(([kind, { named }]) => named.map((what) => ({ kind, what })))
  }

  addThread(id: string): ThreadRecord {
    const known = this.threads.get(id)
    if (known !== undefined) return known
    const thread: ThreadRecord = {
      ...{ id, posts: [], markers: new Map(), checked: 0, isTouched: true },
      ...{ open: 0, isFull: false, acknowledged: 1 },
    }
    this.threads.set(id, thread)
    this.acknowledged.threads += 1
    this.acknowledged.posts += 1
    return thread
  }

  /** Records a post that was acknowledged or read. */
  learn(thread: ThreadRecord, post: Post): void {
    const known: KnownPost = { id: post._id, digest: digestOf(post) }
    const before = thread.posts[post.number - 1]
    if (before === undefined) {
      thread.posts[post.number - 1] = known
      thread.isTouched = true
      if (post.imageUrl !== null && post.thumbnailUrl !== null) {
        const { imageUrl, thumbnailUrl, imageWidth, imageHeight } = post
        const size = { width: imageWidth ?? 0, height: imageHeight ?? 0 }
        this.pictures.push({ urls: [imageUrl, thumbnailUrl], ...size, hashes: null })
      }
      return
    }
    const place = `${thread.id} number ${post.number}`
    if (before.id !== known.id) this.report('reused', `${place}: was ${before.id}, is ${known.id}`)
    else if (before.digest !== known.digest) this.report('changed', `${place} (${known.id}) reads otherwise now`)
  }
}

export const digestOf = ({ content, imageUrl }: Pick<Post, 'content' | 'imageUrl'>): string =>
  createHash('sha256')
    .update(`${imageUrl ?? ''}\n${content}`)
    .digest('base64url')
    .slice(0, 16)
