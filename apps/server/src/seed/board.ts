/** Plans a board: its threads, when they were opened, how many posts each has, and their texts. */
import { EXCERPT_LENGTH } from '@shinobi/contract/limits'
import { truncateGraphemes } from '@shinobi/contract/text'
import { inHalfLives } from '../features/threads/threads.trending.ts'
import type { SummaryKind } from '@shinobi/contract/threads'
import { makePoster, openThread, writePost, type Poster } from './japanese-text.ts'
import { planStory, type SeededStory } from './news.ts'
import { createRandom, type Random } from './random.ts'

export interface BoardPlan {
  readonly threads: number
  readonly posts: number
  readonly seed: number
  /** The board's present in milliseconds; nothing is younger. */
  readonly now: number
  readonly categories: readonly { readonly id: string; readonly name: string }[]
}

/** Rows as the tables have them, times in ISO 8601. */
export interface SeededPost {
  readonly threadId: string
  readonly number: number
  readonly id: string
  readonly name: string | null
  readonly content: string
  readonly visitorId: string
  readonly createdAt: string
  readonly likes: number
  readonly deletedAt: string | null
}

export interface SeededThread {
  readonly id: string
  readonly categoryId: string
  readonly title: string
  readonly excerpt: string
  readonly nickname: string | null
  readonly visitorId: string
  readonly createdAt: string
  readonly lastPostAt: string
  readonly aiGenerated: boolean
  readonly summary: SummaryKind | null
  readonly sourceSite: string | null
  readonly sourceUrl: string | null
  readonly likes: number
  readonly postCount: number
  readonly heat: number
  readonly posts: readonly SeededPost[]
  /** How a news thread was made; null for one that a visitor opened. */
  readonly story: SeededStory | null
}

const HOUR_MS = 3_600_000
/** How far back the board reaches. */
const PAST_MS = 90 * 24 * HOUR_MS
/** Maximum share of the posts in one thread, so that none contains nearly all. */
const LARGEST_SHARE = 0.08

/** A UUIDv7 of a moment whose random part comes from the generator; for browsers of version 4. */
function uuidOf(milliseconds: number, random: Random, version: 4 | 7 = 7): string {
  const time = Math.floor(milliseconds).toString(16).padStart(12, '0')
  const hex = (digits: number): string =>
    random
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0')
  const variant = (8 + random.below(4)).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-${version}${hex(3)}-${variant}${hex(3)}-${hex(6)}${hex(6)}`
}

/** A number of likes: mostly none, rarely many. */
const likesOf = (random: Random, probability: number): number =>
  random.chance(probability) ? Math.min(2_000, Math.floor((1 - random.next()) ** -0.9)) : 0

/** Posts per thread: at least one, and a few threads with a large share, as on any board. */
function sizesOf({ threads, posts }: BoardPlan, random: Random): number[] {
  const weights = Array.from({ length: threads }, () => (1 - random.next()) ** -0.8 - 0.9)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const most = Math.max(Math.ceil(posts * LARGEST_SHARE), Math.ceil(posts / threads) * 2)
  const sizes = weights.map((weight) => Math.min(most, 1 + Math.floor(((posts - threads) * weight) / total)))
  let left = posts - sizes.reduce((sum, size) => sum + size, 0)
  // Distribute the rest after rounding and capping, so that the sum is exact.
  for (let i = 0; left > 0; i = (i + 1) % threads) {
    const more = Math.min(left, Math.max(1, Math.floor(left / threads)))
    sizes[i]! += more
    left -= more
  }
  return sizes
}

/** Opening times, oldest first, denser towards the present. */
function timesOf({ threads, now }: BoardPlan, random: Random): number[] {
  const times = Array.from({ length: threads }, () => now - 60_000 - Math.floor(random.next() ** 2 * PAST_MS))
  return times.toSorted((a, b) => a - b)
}

/** Times of a thread's posts, increasing: frequent at first, then rarer, over hours or weeks. */
function postTimes(openedAt: number, posts: number, now: number, random: Random): number[] {
  const lifetime = HOUR_MS * posts ** 0.7 * (0.5 - 2 * Math.log(1 - random.next()))
  const span = Math.min(now - openedAt - posts, lifetime)
  const times = Array.from({ length: posts - 1 }, () => openedAt + Math.floor(random.next() ** 1.8 * span))
  const rising = [openedAt, ...times.toSorted((a, b) => a - b)]
  // Ids contain these times and must increase with the numbers.
  for (let i = 1; i < rising.length; i += 1) rising[i] = Math.max(rising[i]!, rising[i - 1]! + 1)
  return rising
}

/** As the threads feature makes it: one line, for lists. */
const excerptOf = (content: string): string => truncateGraphemes(content.replace(/\s+/gu, ' ').trim(), EXCERPT_LENGTH)

interface Visitor {
  readonly id: string
  readonly poster: Poster
}

/**
 * The threads of a plan, oldest first, generated one at a time so that a large board need not fit
 * into memory.
 */
export function* seedThreads(plan: BoardPlan): Generator<SeededThread> {
  const random = createRandom(plan.seed)
  const sizes = sizesOf(plan, random)
  const times = timesOf(plan, random)
  // Every thread has its own generator, so that a change in one does not change the texts of
  // others.
  for (const [index, openedAt] of times.entries()) {
    yield seedThread(plan, openedAt, sizes[index]!, createRandom(plan.seed * 1_000_003 + index))
  }
}

function seedThread({ categories, now }: BoardPlan, openedAt: number, size: number, random: Random): SeededThread {
  const category = random.pick(categories)
  const visitors: Visitor[] = []
  /** An earlier poster of this thread or a new one; frequent posters return most. */
  const nextVisitor = (): Visitor => {
    if (visitors.length > 0 && random.chance(0.55)) return visitors[Math.floor(random.next() ** 2 * visitors.length)]!
    const visitor = { id: uuidOf(openedAt, random, 4), poster: makePoster(random) }
    visitors.push(visitor)
    return visitor
  }

  const opener = nextVisitor()
  const opened = openThread(category.name, opener.poster, random)
  const { news } = opened
  const nickname = news === null ? opener.poster.name : null
  const id = uuidOf(openedAt, random)
  const posts: SeededPost[] = []
  let heat = 0
  for (const [index, time] of postTimes(openedAt, size, now, random).entries()) {
    const number = index + 1
    const visitor = number === 1 ? opener : nextVisitor()
    const deleted = number > 1 && random.chance(0.003)
    const text = number === 1 ? opened.content : writePost(opened.topic, visitor.poster, number, random)
    const likes = deleted ? 0 : likesOf(random, 0.22)
    posts.push({
      ...{ threadId: id, number, id: uuidOf(time, random), name: number === 1 ? nickname : visitor.poster.name },
      ...{ content: deleted ? '' : text, visitorId: visitor.id, createdAt: new Date(time).toISOString(), likes },
      deletedAt: deleted ? new Date(Math.min(now, time + HOUR_MS)).toISOString() : null,
    })
    heat = raise(heat, 1, time)
  }
  const likes = likesOf(random, 0.6) * (1 + random.below(3))
  if (likes > 0) heat = raise(heat, likes, openedAt)
  const story =
    news &&
    planStory(
      news,
      { threadId: id, categoryId: category.id, openedAt, now, newId: (milliseconds) => uuidOf(milliseconds, random) },
      random,
    )
  return {
    ...{ id, categoryId: category.id, title: opened.title, excerpt: excerptOf(opened.content) },
    ...{ nickname, visitorId: opener.id, createdAt: posts[0]!.createdAt, lastPostAt: posts.at(-1)!.createdAt },
    ...{
      aiGenerated: news?.kind === 'ai',
      summary: news?.kind ?? null,
      sourceSite: news?.articles[0].publisher.site ?? null,
      sourceUrl: story?.articles[0]?.url ?? null,
    },
    ...{ likes, postCount: posts.length, heat, posts, story },
  }
}

/** The same formula as `heatAfterAdding` of the threads feature, in JavaScript. */
function raise(heat: number, events: number, milliseconds: number): number {
  const added = inHalfLives(milliseconds) + Math.log2(events)
  return Math.max(heat, added) + Math.log2(1 + 2 ** -Math.min(Math.abs(heat - added), 1_000))
}
