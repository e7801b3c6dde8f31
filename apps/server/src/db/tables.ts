/**
 * The schema as Kysely sees it; the migrations make it. Columns are spelled as everywhere else, so nothing is mapped.
 * Tables that grow with posts carry `threadId` in the primary key and in every unique constraint (ready for hash distribution).
 */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { NewsPermission, NewsProblem, StoryState, SummaryCurrency } from '@shinobi/contract/news'
import type { SummaryKind, ThreadPin } from '@shinobi/contract/threads'
import type { WordAction } from '@shinobi/contract/words'
import type { ArticleDocument, StorySummary } from '@shinobi/newsroom/documents'
import type { CallEnd } from '@shinobi/newsroom/summaries/budget'
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
  /** Of a news thread: how its opening text was made. */
  summary: ColumnType<SummaryKind | null, SummaryKind | null | undefined, SummaryKind | null>
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
  /** Set while nobody may write into it. */
  lockedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Stands first in the list of its category, or of the whole board too. */
  pinned: ColumnType<ThreadPin | null, ThreadPin | null | undefined, ThreadPin | null>
  /** Set when it was removed: from then on nobody finds it, and after a while it is deleted with its posts. */
  removedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /**
   * Its nicknames were deleted (NICKNAMES_KEEP_DAYS) and must be read from its posts before a name
   * is claimed.
   */
  namesForgotten: Generated<boolean>
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
  /** The rule it broke, shown at the tombstone. */
  removedRule: ColumnType<RuleKey | null, RuleKey | null | undefined, RuleKey | null>
  /** Set while it is shown folded, because many reported it. */
  foldedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Written as one of those who run the board, by whoever moderated its category then. */
  asStaff: Generated<boolean>
}

/** Which thread a client's request has opened, so that a resend answers the same one. */
export interface ThreadRequestsTable {
  clientThreadId: string
  threadId: string
}

/**
 * Who owns a nickname in a thread: the first visitor who posted with it. `name` is folded. Deleted
 * while `threads.namesForgotten` is set, and then rebuilt from the posts.
 */
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
  /** What becomes of a text that holds it. */
  action: ColumnType<WordAction, WordAction | undefined, WordAction>
  /** Why it is here, for those who run the board. */
  note: ColumnType<string, string | undefined, string>
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
  /** Folded for comparison. Unique among confirmed addresses: anybody can type any address. */
  emailKey: string | null
  /** When the address was confirmed. Until then it says nothing of who the member is. */
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
  /** `in_use` does nothing: the mail has no link, and tells the member that somebody registered with their address. */
  purpose: 'reset' | 'verify' | 'in_use'
  /** The address it was sent to. */
  email: string
  expiresAt: Time
}

/**
 * A mail that waits to be sent; deleted when it was sent. The address is in the token's row, and
 * the text is written at each try. A mail that was given up keeps neither token nor address, and is
 * kept for some days to be counted.
 */
export interface MailsTable {
  /** Also its Message-ID, the same at every try. */
  id: string
  purpose: MailTokensTable['purpose']
  tokenHash: string | null
  /** The token itself, sealed by lib/seal.ts. */
  sealedToken: string | null
  /** Tries that were begun. */
  tries: Generated<number>
  /**
   * When the next try is due. Moved forward when a try begins, so that no other process tries at
   * the same time. Null once it was given up.
   */
  nextTryAt: ColumnType<Date | null, Date, Date | null>
  givenUpAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  problem: ColumnType<MailProblem | null, MailProblem | null | undefined, MailProblem | null>
  createdAt: Time
}

/**
 * Why a mail was given up: the mail server refused it for good, its link expired first, every try
 * failed, or its token cannot be opened (SESSION_SECRET was changed).
 */
export type MailProblem = 'refused' | 'expired' | 'failed' | 'unreadable'

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
  /**
   * Whom it counts for: a member's own id; visitors and new members of one address speak with one voice a day, so that dropping cookies
   * and opening accounts gains nothing.
   */
  voice: string
  /** Does not count: its reporter was muted. */
  muted: Generated<boolean>
}

/** All that is reported about one post, and what became of it. Opened by the first report, or by a word rule that flags. */
export interface CasesTable {
  threadId: string
  postId: string
  number: number
  /** Of the thread; goes along when that is moved. */
  categoryId: string
  status: 'open' | 'closed'
  /** Reports, and how many distinct voices of reporters who are not muted. */
  reports: number
  voices: number
  /** As many voices as there were when somebody found nothing wrong: only those that come after them may fold the post again. */
  heardVoices: Generated<number>
  /** The word whose rule flagged the post; null when only people reported it. */
  flag: string | null
  note: Generated<string>
  decision: ColumnType<string | null, string | null | undefined, string | null>
  /** Name of who decided. */
  decidedBy: ColumnType<string | null, string | null | undefined, string | null>
  decidedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** The decision in the log. */
  actionId: ColumnType<string | null, string | null | undefined, string | null>
  /** When it was opened, or opened again. */
  createdAt: Time
}

/** Reporters (member or visitor ids) whose reports do not count for now. Who did that, and why, stands in the log. */
export interface MutedReportersTable {
  reporter: string
  /** Null: until it is taken back. */
  until: ColumnType<Date | null, Date | null, Date | null>
}

/** How many rows there are, by the hour of their ids; see db/tallies.ts. bigint comes as text. */
export interface TalliesTable {
  kind: 'users' | 'threads' | 'posts'
  hour: ColumnType<string, number, number>
  lane: number
  count: ColumnType<string, number, number>
}

/** Rises with each change of what servers keep in memory; see db/revisions.ts. */
export interface RevisionsTable {
  name: string
  revision: ColumnType<string, number, number>
}

/** Who moderates. `categoryIds` null: the whole board. */
export interface ModeratorsTable {
  userId: string
  categoryIds: JSONColumnType<string[] | null, string | null, string | null>
  createdAt: Time
}

/** A member's time-based one-time passwords (RFC 6238). Asked for at log-in from `confirmedAt` on. */
export interface SecondFactorsTable {
  userId: string
  /** The shared secret, sealed by lib/seal.ts. */
  sealedSecret: string
  confirmedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Time step of the last code that was taken: each works once. bigint comes as text. */
  lastStep: ColumnType<string, number | undefined, number>
  /** SHA-256 of recovery codes that are left; each works once. */
  recoveryHashes: JSONColumnType<string[], string | undefined, string>
  createdAt: Time
}

/**
 * Who did what to what, why, and how it was before and after. Rows are only ever added; `details`
 * are emptied after MODERATION_KEEP_DAYS. A trigger refuses any other change.
 */
export interface AuditLogTable {
  id: string
  at: Time
  /** Null for the board itself (a step of raid mode, a release after time). */
  actorId: string | null
  /** The name at that time. */
  actorName: string | null
  action: string
  categoryId: string | null
  threadId: string | null
  postId: string | null
  number: number | null
  /** What it was done to, in words: a title, a name, a word. */
  subject: string | null
  rule: RuleKey | null
  reason: string | null
  details: JSONColumnType<Record<string, unknown>, string, string>
  /** Stands in the public log as well, without who and without what was typed. */
  isPublic: boolean
  /** The entry that this one takes back. */
  undoes: string | null
}

/** Who may not write where, until when. `subject`: a user's id, a visitor's id, or the hash of a network (see bans.service.ts). */
export interface BansTable {
  id: string
  kind: 'user' | 'visitor' | 'network'
  subject: string
  /** The member whose name the label bears; null for an anonymous visitor, and for a member who left. */
  userId: ColumnType<string | null, string | null | undefined, string | null>
  /** What moderators call it: a name, or a masked token. */
  label: string
  scope: 'site' | 'category' | 'thread'
  scopeId: string | null
  /** Shown to the banned. */
  reason: string
  /** For those who run the board. */
  note: Generated<string>
  createdBy: string | null
  createdAt: Time
  /** Null: until it is lifted. */
  expiresAt: ColumnType<Date | null, Date | null, Date | null>
  liftedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Networks (IPv4 /24, IPv6 /64) that a member or visitor wrote from, as hashes whose key changes daily; kept for a few days. */
export interface OriginsTable {
  actor: string
  hash: string
  seenAt: Time
}

/** Browsers that have written, or proven work, before. */
export interface KnownVisitorsTable {
  visitorId: string
  firstPostAt: ColumnType<Date | null, Date | null, Date | null>
  /** The day (UTC) on which it wrote, or proved work, for the last time. */
  seenAt: Time
  provenUntil: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Raid mode (結界) of a category; without a row it is calm. */
export interface ShieldsTable {
  categoryId: string
  /** 0 calm, 1 cooldown, 2 proof of work, 3 hold, 4 lock; see SHIELD_STEPS of the contract. */
  step: number
  /** Set by hand: it neither rises nor falls by itself until `until`. */
  manual: boolean
  since: Time
  /** When a server last saw as many tries as trip this step; it is taken back when that was long enough ago. */
  activeAt: Time
  until: ColumnType<Date | null, Date | null, Date | null>
}

/** What a held post or thread will be once it is approved. */
export interface HeldPayload {
  readonly name: string | null
  readonly content: string
  readonly image: StoredImage | null
  /** Set for a thread. */
  readonly title?: string
  /** As in `posts`; missing for false. */
  readonly asStaff?: boolean
}

/**
 * Posts, and threads (without `threadId`), that wait for a moderator. A post keeps its id when it is let through. `payload` is null when
 * it was decided and some time has passed.
 */
export interface HeldPostsTable {
  id: string
  status: 'waiting' | 'approved' | 'rejected'
  categoryId: string
  threadId: string | null
  visitorId: string
  userId: string | null
  /** The id that the client gave the sending. */
  clientId: string | null
  /** What keeps it from being published: raid mode, a word, or that its writer was banned while it waited. */
  why: 'word' | 'shield' | 'ban'
  /** The word that matched. */
  detail: string | null
  payload: JSONColumnType<HeldPayload | null, string | null, string | null>
  createdAt: Time
  decidedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Temporary logging of a thread's writers (terms, article 3). */
export interface TraceOrdersTable {
  id: string
  threadId: string
  reason: string
  createdBy: string | null
  createdAt: Time
  endsAt: Time
  endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Address and agent of a post's writer, sealed; gone when the order ends. */
export interface TracesTable {
  threadId: string
  postId: string
  orderId: string
  sealed: string
  createdAt: Time
}

/** An account that was deleted. The row stays until its name is off every post, and its picture is gone. */
export interface DeparturesTable {
  userId: string
  picture: Image
  createdAt: Time
}

/** A feed that is read. */
export interface NewsSourcesTable {
  id: string
  url: string
  /** Shown as 出典. */
  name: string
  /** Null once its category was deleted. */
  categoryId: string | null
  /** BCP 47. One that is Japanese leads to threads by its Japanese articles only; of any other all are taken, whatever they are written in. */
  language: string
  permission: NewsPermission
  intervalMinutes: number
  active: boolean
  /** What the feed said of itself at the last look (RFC 9110 validators). */
  etag: ColumnType<string | null, string | null | undefined, string | null>
  lastModified: ColumnType<string | null, string | null | undefined, string | null>
  /** The last look that succeeded. */
  fetchedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  nextFetchAt: Time
  problem: ColumnType<NewsProblem | null, NewsProblem | null | undefined, NewsProblem | null>
  /** Looks in a row that failed. */
  failures: Generated<number>
  /** Threads that were opened of its articles, those included that were taken down later. Raised with each, as they are too many to count. */
  threads: Generated<number>
  createdAt: Time
}

/**
 * One or more articles that tell the same, on their way to a thread. The state alone tells what comes next, so that a server that was
 * killed goes on where it was: new (to be summarised), ready (to be published), waiting (for approval), published, and three ends.
 */
export interface NewsStoriesTable {
  id: string
  categoryId: string | null
  state: StoryState
  threadId: ColumnType<string | null, string | null | undefined, string | null>
  kind: ColumnType<SummaryKind | null, SummaryKind | null | undefined, SummaryKind | null>
  summary: JSONColumnType<StorySummary | null, string | null | undefined, string | null>
  /** The picture, stored before the thread is opened. */
  image: JSONColumnType<StoredImage | null, string | null | undefined, string | null>
  model: ColumnType<string | null, string | null | undefined, string | null>
  promptVersion: ColumnType<string | null, string | null | undefined, string | null>
  /** Of all tries together. */
  inputTokens: Generated<number>
  outputTokens: Generated<number>
  milliseconds: Generated<number>
  madeAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  publishedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  problem: ColumnType<NewsProblem | null, NewsProblem | null | undefined, NewsProblem | null>
  /** What the checker found, in Japanese words for administrators. */
  findings: JSONColumnType<string[], string | undefined, string>
  /** When the next step is due; null when there is none. */
  nextTryAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Whether the article still says what the summary rests on. */
  currency: ColumnType<SummaryCurrency, SummaryCurrency | undefined, SummaryCurrency>
  changedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When the article is looked at again; null when it is not. */
  nextCheckAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  corrections: JSONColumnType<{ at: string; note: string }[], string | undefined, string>
  /** When it was set on its way: found, approved, or sent round again. */
  begunAt: Time
  /** When an administrator let it be published; null where nobody was asked. */
  approvedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  createdAt: Time
}

/** An article of a feed, by its address. `nextTryAt` is set while it is on its way (found or read). */
export interface NewsArticlesTable {
  id: string
  /** SHA-256 of the address without fragment and campaign parameters. */
  urlHash: string
  canonicalHash: ColumnType<string | null, string | null | undefined, string | null>
  sourceId: string | null
  storyId: ColumnType<string | null, string | null | undefined, string | null>
  url: string
  /** As the feed gives it. */
  title: string
  publishedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  state: 'found' | 'read' | 'told' | 'skipped'
  problem: ColumnType<NewsProblem | null, NewsProblem | null | undefined, NewsProblem | null>
  attempts: Generated<number>
  nextTryAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  document: JSONColumnType<ArticleDocument | null, string | null | undefined, string | null>
  /** Pieces of its fingerprint: two articles that share one may tell the same story. */
  bands: ColumnType<number[], number[] | undefined, number[]>
  foundAt: Time
}

/** What the language model was asked, for the budget and the record. */
export interface NewsCallsTable {
  id: string
  at: Time
  storyId: string | null
  model: string
  promptVersion: string
  inputTokens: number
  outputTokens: number
  milliseconds: number
  outcome: CallEnd['outcome']
  detail: ColumnType<string, string | undefined, string>
}

/** How much is stored of pictures, in one row; see features/images. bigint comes as text. */
export interface ImageTotalsTable {
  files: ColumnType<string, number, number>
  bytes: ColumnType<string, number, number>
  /** Path that the collector's walk has reached, and what it has counted so far. */
  walkedTo: Generated<string>
  walkedFiles: ColumnType<string, number, number>
  walkedBytes: ColumnType<string, number, number>
  /** When a server may go on with it. */
  nextWalkAt: Time
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
  mails: MailsTable
  rooms: RoomsTable
  threadLikes: ThreadLikesTable
  postLikes: PostLikesTable
  reports: ReportsTable
  departures: DeparturesTable
  cases: CasesTable
  mutedReporters: MutedReportersTable
  tallies: TalliesTable
  revisions: RevisionsTable
  moderators: ModeratorsTable
  secondFactors: SecondFactorsTable
  auditLog: AuditLogTable
  bans: BansTable
  origins: OriginsTable
  knownVisitors: KnownVisitorsTable
  shields: ShieldsTable
  heldPosts: HeldPostsTable
  traceOrders: TraceOrdersTable
  traces: TracesTable
  newsSources: NewsSourcesTable
  newsStories: NewsStoriesTable
  newsArticles: NewsArticlesTable
  newsCalls: NewsCallsTable
  imageTotals: ImageTotalsTable
}
