/**
 * The schema as Kysely sees it; the migrations make it. Columns are spelled as everywhere else, so nothing is mapped.
 * Tables that grow with posts carry `threadId` in the primary key and in every unique constraint (ready for hash distribution).
 */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { StoredImage } from '../lib/image-store.ts'

type Time = ColumnType<Date, Date | string, Date | string>

type Image = JSONColumnType<StoredImage | null, string | null, string | null>

export interface CategoriesTable {
  id: string
  name: string
  description: string
  /** Place in lists of categories. */
  position: number
  createdAt: Time
}

export interface ThreadsTable {
  id: string
  categoryId: string
  title: string
  /** First characters of post 1, for lists. */
  excerpt: string
  nickname: string | null
  userId: string | null
  /** The browser that opened it; never leaves the server. */
  visitorId: string | null
  image: Image
  createdAt: Time
  aiGenerated: Generated<boolean>
  sourceSite: string | null
  sourceUrl: string | null
  /** Live counters. No index holds them, so raising them rewrites no index (heap-only update). */
  likes: Generated<number>
  postCount: Generated<number>
  /** Rises with every visible change of the thread. */
  revision: Generated<number>
  lastPostAt: Time
  /** Trending in logarithmic form, see threads.heat.ts. */
  heat: Generated<number>
  /** Copies of the counters that lists are sorted by, refreshed within a second by threads.ranking.ts. */
  rankedPosts: Generated<number>
  rankedLikes: Generated<number>
  rankedHeat: Generated<number>
}

export interface PostsTable {
  threadId: string
  number: number
  id: string
  name: string | null
  content: string
  image: Image
  userId: string | null
  visitorId: string | null
  clientPostId: string | null
  createdAt: Time
  likes: Generated<number>
  /** Set when a post was removed; its tombstone stays at its number. */
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Which thread a client's request has opened, so that a resend answers the same one. */
export interface ThreadRequestsTable {
  clientThreadId: string
  threadId: string
}

/** Who owns a nickname in a thread: the first visitor who posted with it. `name` is folded. */
export interface NicknamesTable {
  threadId: string
  name: string
  visitorId: string
  createdAt: Time
}

/** A word that may not be posted. `allow` are longer, harmless words that contain it. */
export interface BannedWordsTable {
  id: string
  word: string
  allow: JSONColumnType<string[], string, string>
  createdAt: Time
}

/** A text in the search index: number 0 is the thread's title, the others are posts. */
export interface SearchDocumentsTable {
  threadId: string
  number: number
  /** Folded text, against which hits are checked. */
  text: string
  /** Bucket and characters packed into integers, see search.grams.ts. */
  grams: ColumnType<unknown, never, never>
}

/** Runs of threads by age: each bucket reaches from its first thread to the next bucket's. */
export interface SearchBucketsTable {
  bucket: number
  firstThreadId: string
}

export interface UsersTable {
  id: string
  name: string
  email: string | null
  /** Folded for comparison; unique. */
  emailKey: string | null
  emailVerifiedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** argon2id in PHC format; null for an account that only uses Google. */
  passwordHash: string | null
  /** `sub` of the linked Google account. */
  googleSubject: string | null
  picture: Image
  isAdmin: Generated<boolean>
  createdAt: Time
}

/** Names of members, folded by `foldName`. A former name stays its member's for FORMER_NAME_DAYS after `releasedAt`. */
export interface UserNamesTable {
  name: string
  userId: string
  releasedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** A browser in which a member is logged in: a family of refresh tokens of which only the newest is good. */
export interface SessionsTable {
  id: string
  userId: string
  /** SHA-256 of the refresh token that is good. */
  tokenHash: string
  /** The one it replaced, and the attempt (Idempotency-Key) that did it. */
  previousHash: string | null
  attempt: string | null
  /** Browser and system in words, for the member's own list. */
  device: string
  createdAt: Time
  lastUsedAt: Time
  expiresAt: Time
}

/** What a mailed link may do, once, until it expires. */
export interface MailTokensTable {
  tokenHash: string
  userId: string
  purpose: 'reset' | 'verify'
  /** The address it was sent to. */
  email: string
  expiresAt: Time
}

/** Threads a member has posted in. */
export interface RoomsTable {
  userId: string
  threadId: string
  lastPostAt: Time
}

export interface ThreadLikesTable {
  threadId: string
  userId: string
  createdAt: Time
}

export interface PostLikesTable {
  threadId: string
  userId: string
  postId: string
  createdAt: Time
}

/** What was reported, as it stood at that moment, and what the reporter says to have seen. */
export interface ReportEvidence {
  readonly number: number
  readonly name: string | null
  readonly content: string
  readonly imageKey: string | null
  readonly seen: string
}

/** A report of a post; `reporter` is the member's id or the visitor's, so that each counts once. */
export interface ReportsTable {
  threadId: string
  id: string
  postId: string
  reporter: string
  userId: string | null
  reason: string
  evidence: JSONColumnType<ReportEvidence, string, string>
  createdAt: Time
}

/** An account that was deleted. The row stays until its name is off every post, and its picture is gone. */
export interface DeparturesTable {
  userId: string
  picture: Image
  createdAt: Time
}

/** Small documents of the server itself: how far the index was fed, and the like. */
export interface SettingsTable {
  key: string
  value: JSONColumnType<Record<string, unknown>, string, string>
}

export interface Tables {
  categories: CategoriesTable
  threads: ThreadsTable
  posts: PostsTable
  threadRequests: ThreadRequestsTable
  nicknames: NicknamesTable
  bannedWords: BannedWordsTable
  searchDocuments: SearchDocumentsTable
  searchBuckets: SearchBucketsTable
  settings: SettingsTable
  users: UsersTable
  userNames: UserNamesTable
  sessions: SessionsTable
  mailTokens: MailTokensTable
  rooms: RoomsTable
  threadLikes: ThreadLikesTable
  postLikes: PostLikesTable
  reports: ReportsTable
  departures: DeparturesTable
}
