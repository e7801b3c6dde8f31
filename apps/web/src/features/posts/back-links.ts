import type { Post, ThreadAnswers } from '@shinobi/contract/posts'
import { numbersAnsweredBy } from '@shinobi/text/anchors'

/**
 * Cached, because otherwise every arriving post would parse all of them again; posts are immutable,
 * so the object is the key.
 */
const cache = new WeakMap<Post, readonly number[]>()

export function answeredBy(post: Post): readonly number[] {
  const known = cache.get(post)
  if (known !== undefined) return known
  const answered = numbersAnsweredBy(post)
  cache.set(post, answered)
  return answered
}

/** Answers to a post that are linked in the page, for readers without JavaScript. */
export const ANSWERS_LINKED_MAX = 50

/** For each post number, the numbers of its answers, in ascending order. */
export type Answers = ReadonlyMap<number, readonly number[]>

/** The answers among the given posts, which are in ascending order. */
export function backLinks(posts: readonly Post[]): Answers {
  const links = new Map<number, number[]>()
  for (const post of posts) {
    for (const number of answeredBy(post)) {
      const list = links.get(number)
      if (list === undefined) links.set(number, [post.number])
      else list.push(post.number)
    }
  }
  return links
}

/**
 * The answers among all posts of a thread: as the server knows them, and of the loaded posts as
 * they are, because they are more up to date.
 * @param posts without gaps, in ascending order
 */
export function allAnswers(known: ThreadAnswers | undefined, posts: readonly Post[]): Answers {
  const loaded = backLinks(posts)
  const [first, last] = [posts[0], posts.at(-1)]
  if (known === undefined || first === undefined || last === undefined) return loaded
  const all = new Map<number, readonly number[]>(loaded)
  for (const [answered, numbers] of Object.entries(known.answers)) {
    const others = numbers.filter((number) => number < first.number || number > last.number)
    if (others.length === 0) continue
    const number = Number(answered)
    all.set(
      number,
      [...others, ...(loaded.get(number) ?? [])].toSorted((a, b) => a - b),
    )
  }
  return all
}

export interface KnownAnswers extends ThreadAnswers {
  /** Posts that have arrived after a missed one, ascending. */
  readonly later?: readonly Post[]
}

/**
 * What the server knows, with posts that have arrived since. After a missed one they wait until all
 * are fetched again (use-answers.ts).
 */
export function withAnswers(known: KnownAnswers, arrived: readonly Post[]): KnownAnswers {
  let { through } = known
  const answers = { ...known.answers }
  const later: Post[] = []
  for (const post of [...(known.later ?? []), ...arrived].toSorted((a, b) => a.number - b.number)) {
    if (post.number > through + 1) later.push(post)
    if (post.number !== through + 1) continue
    for (const number of answeredBy(post)) answers[number] = [...(answers[number] ?? []), post.number]
    through = post.number
  }
  return { through, answers, later }
}
