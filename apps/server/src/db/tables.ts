/**
 * The schema for Kysely; the migrations create it. Columns are named as in the code, so nothing is
 * mapped. Tables are grouped by the feature, or the folder, that writes them
 * (table-owners.test.ts). Tables that grow with posts have `threadId` in the primary key and in
 * every unique constraint (ready for hash distribution).
 */
import type { ColumnType, Generated, JSONColumnType } from 'kysely'
import type { HidingEntry } from '@shinobi/contract/hiding-entry'
import type { NotebookEntry } from '@shinobi/contract/notebook-entry'
import type { PosterIds } from '@shinobi/contract/categories'
import type { RuleKey } from '@shinobi/contract/rules'
import type { NewsPermission, NewsProblem, StoryState, SummaryCurrency } from '@shinobi/contract/news'
import type { SummaryKind, ThreadPin } from '@shinobi/contract/threads'
import type { WordAction } from '@shinobi/contract/words'
import type { ArticleDocument, StorySummary } from '@shinobi/newsroom/documents'
import type { CallEnd } from '@shinobi/newsroom/summaries/budget'

type Time = ColumnType<Date, Date | string, Date | string>

/** A picture in a column: `key` names its files in the store, lengths are in pixels. */
export interface StoredImage {
  readonly key: string
  readonly width: number
  readonly height: number
}

type Image = JSONColumnType<StoredImage | null, string | null, string | null>

// settings

/** Small documents of the server itself, for example the position of the search indexer. */
export interface SettingsTable {
  key: string
  value: JSONColumnType<Record<string, unknown>, string, string>
}

// db

/** Increases with each change of data that servers keep in memory; see db/revisions.ts. */
export interface RevisionsTable {
  name: string
  revision: ColumnType<string, number, number>
}

/** Number of rows by the hour of their ids; see db/tallies.ts. bigint is returned as text. */
export interface TalliesTable {
  kind: 'users' | 'threads' | 'posts'
  hour: ColumnType<string, number, number>
  lane: number
  count: ColumnType<string, number, number>
}

// images

/** Total size of stored pictures, in one row; see features/images. bigint is returned as text. */
export interface ImageTotalsTable {
  files: ColumnType<string, number, number>
  bytes: ColumnType<string, number, number>
  /** Path that the collector's walk has reached, and its counts so far. */
  walkedTo: Generated<string>
  walkedFiles: ColumnType<string, number, number>
  walkedBytes: ColumnType<string, number, number>
  /** When a server may continue the walk. */
  nextWalkAt: Time
}

// audit

/**
 * Who did what to what, why, and the values before and after. Rows are only inserted; `details` are
 * emptied after MODERATION_KEEP_DAYS. A trigger refuses any other change.
 */
export interface AuditLogTable {
  id: string
  at: Time
  /** Null for the board itself (a step of raid mode, a release after a timeout). */
  actorId: string | null
  /** The actor's name at that time. */
  actorName: string | null
  action: string
  categoryId: string | null
  threadId: string | null
  postId: string | null
  number: number | null
  /** The object of the action as text: a title, a name, a word. */
  subject: string | null
  rule: RuleKey | null
  reason: string | null
  details: JSONColumnType<Record<string, unknown>, string, string>
  /** Whether the entry is in the public log too, without the actor and without typed texts. */
  isPublic: boolean
  /** The entry that this one undoes. */
  undoes: string | null
}

// words

/** A word that must not be posted. `allow` are longer, harmless words that contain it. */
export interface BannedWordsTable {
  id: string
  word: string
  allow: JSONColumnType<string[], string, string>
  /** What happens to a text that contains it. */
  action: ColumnType<WordAction, WordAction | undefined, WordAction>
  /** Why it is listed, for moderators and administrators. */
  note: ColumnType<string, string | undefined, string>
  createdAt: Time
}

// search

/** A text in the search index: number 0 is the thread's title, the others are posts. */
export interface SearchDocumentsTable {
  threadId: string
  number: number
  /** Folded text, which candidates are compared with. */
  text: string
  /** Bucket and characters packed into integers, see search.grams.ts. */
  grams: ColumnType<unknown, never, never>
}

/**
 * Ranges of threads by age: each bucket starts at its first thread and ends before the next
 * bucket's.
 */
export interface SearchBucketsTable {
  bucket: number
  firstThreadId: string
}

// categories

/** A part of the board that contains threads, with a name for addresses. */
export interface CategoriesTable {
  id: string
  name: string
  description: string
  /** Position in lists of categories. */
  position: number
  /** Posts that a thread here takes; null for the number in the settings. */
  postLimit: ColumnType<number | null, number | null | undefined, number | null>
  /** Which posts here have the same ID. */
  posterIds: ColumnType<PosterIds, PosterIds | undefined, PosterIds>
  /** Whether a moderator looks at images of newcomers first. */
  holdImages: Generated<boolean>
  createdAt: Time
}

// accounts

/** A member's account. Other users see only its `name` and `picture`. */
export interface UsersTable {
  id: string
  name: string
  email: string | null
  /**
   * Folded for comparison. Unique among confirmed addresses only: anybody can enter any address.
   */
  emailKey: string | null
  /** When the address was confirmed. Until then it does not identify the member. */
  emailVerifiedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** argon2id in PHC format; null for an account that only uses Google. */
  passwordHash: string | null
  /** `sub` of the linked Google account. */
  googleSubject: string | null
  picture: Image
  isAdmin: Generated<boolean>
  createdAt: Time
}

/**
 * Names of members, folded by `foldName`. A former name is reserved for its member for
 * FORMER_NAME_DAYS after `releasedAt`.
 */
export interface UserNamesTable {
  name: string
  userId: string
  releasedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/**
 * A browser in which a member is logged in: a family of refresh tokens of which only the newest is
 * valid.
 */
export interface SessionsTable {
  id: string
  userId: string
  /** SHA-256 of the valid refresh token. */
  tokenHash: string
  /** The previous token, and the attempt (Idempotency-Key) that replaced it. */
  previousHash: string | null
  attempt: string | null
  /** Browser and system as text, for the member's own list. */
  device: string
  createdAt: Time
  lastUsedAt: Time
  expiresAt: Time
}

/** A token in a mailed link, which works once, until it expires. */
export interface MailTokensTable {
  tokenHash: string
  userId: string
  /**
   * `in_use` permits nothing: the mail has no link, and informs the member that somebody registered
   * with their address.
   */
  purpose: 'reset' | 'verify' | 'in_use'
  /** The address it was sent to. */
  email: string
  expiresAt: Time
}

/**
 * A mail in the queue; deleted when it is sent. The address is in the token's row, and the text is
 * composed for each attempt. A failed mail keeps neither token nor address, and stays for some days
 * to be counted.
 */
export interface MailsTable {
  /** Also its Message-ID, the same in every attempt. */
  id: string
  purpose: MailTokensTable['purpose']
  tokenHash: string | null
  /** The token itself, encrypted by lib/secret-box.ts. */
  sealedToken: string | null
  /** Number of attempts, including a running one. */
  tries: Generated<number>
  /**
   * When the next attempt is due. Postponed when an attempt begins, so that no other process tries
   * at the same time. Null after the last attempt has failed.
   */
  nextTryAt: ColumnType<Date | null, Date, Date | null>
  givenUpAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  problem: ColumnType<MailProblem | null, MailProblem | null | undefined, MailProblem | null>
  createdAt: Time
}

/**
 * Why a mail failed: the mail server refused it permanently, its link expired first, every attempt
 * failed, or its token cannot be decrypted (SESSION_SECRET was changed).
 */
export type MailProblem = 'refused' | 'expired' | 'failed' | 'unreadable'

/**
 * A member's time-based one-time passwords (RFC 6238). Required at log-in from `confirmedAt` on.
 */
export interface SecondFactorsTable {
  userId: string
  /** The shared secret, encrypted by lib/secret-box.ts. */
  sealedSecret: string
  confirmedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Time step of the last accepted code: each works once. bigint is returned as text. */
  lastStep: ColumnType<string, number | undefined, number>
  /** SHA-256 of the unused recovery codes; each works once. */
  recoveryHashes: JSONColumnType<string[], string | undefined, string>
  createdAt: Time
}

/** Moderators. `categoryIds` null means the whole board. */
export interface ModeratorsTable {
  userId: string
  categoryIds: JSONColumnType<string[] | null, string | null, string | null>
  createdAt: Time
}

/** Threads a member has posted in. */
export interface RoomsTable {
  userId: string
  threadId: string
  lastPostAt: Time
}

// bans

/**
 * Who may not write, where, and until when. `subject`: a user's id, a visitor's id, or the hash of
 * a network (see bans.service.ts).
 */
export interface BansTable {
  id: string
  kind: 'user' | 'visitor' | 'network'
  subject: string
  /**
   * The member whose name is in the label; null for an anonymous visitor, and for a deleted
   * account.
   */
  userId: ColumnType<string | null, string | null | undefined, string | null>
  /** The name for moderators: a member's name, or a masked token. */
  label: string
  scope: 'site' | 'category' | 'thread'
  scopeId: string | null
  /** Shown to the banned user. */
  reason: string
  /** For moderators and administrators. */
  note: Generated<string>
  createdBy: string | null
  createdAt: Time
  /** Null means until it is lifted. */
  expiresAt: ColumnType<Date | null, Date | null, Date | null>
  liftedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/**
 * Networks (IPv4 /24, IPv6 /64) of a member or visitor, as hashes whose key changes daily; kept for
 * a few days.
 */
export interface OriginsTable {
  actor: string
  hash: string
  seenAt: Time
}

// posters

/**
 * The key of the IDs of a day (JST). Deleted when the day is over; unlogged, so that no copy of it
 * stays in the write-ahead log, on a replica or in an archive.
 */
export interface DayKeysTable {
  /** YYYY-MM-DD. */
  day: string
  /** 32 random bytes. */
  key: Buffer
}

// levels

/**
 * 忍法帖 of a browser or member (features/levels/level.rules.ts): clean days, removals, the last day
 * with a post that is not counted yet, and a day that does not count. Days are those of Japan.
 */
export interface LevelsTable {
  actorId: string
  days: Generated<number>
  removals: Generated<number>
  pendingDay: ColumnType<string | null, string | null | undefined, string | null>
  stainedDay: ColumnType<string | null, string | null | undefined, string | null>
  /** The day of the last post or removal. */
  seenOn: string
}

/** A phrase that moves the level of a browser to another one, once. */
export interface LevelPhrasesTable {
  actorId: string
  /** Keyed hash of the phrase. */
  phraseHash: string
  expiresAt: Time
}

/** Where the level of a browser went: removals of what it wrote before lower the level there. */
export interface LevelMovesTable {
  actorId: string
  movedTo: string
  movedAt: Time
}

// shields

/** Raid mode (結界) of a category; without a row it is off. */
export interface ShieldsTable {
  categoryId: string
  /** 0 off, 1 cooldown, 2 proof of work, 3 hold, 4 lock; see SHIELD_STEPS of the contract. */
  step: number
  /** Set by a moderator: it does not change automatically before `until`. */
  manual: boolean
  since: Time
  /**
   * When a server last saw the number of attempts that triggers this step; long enough after that
   * the step is lowered.
   */
  activeAt: Time
  until: ColumnType<Date | null, Date | null, Date | null>
}

/** Browsers that have solved a proof of work. */
export interface ProofsTable {
  visitorId: string
  provenUntil: Time
}

/** A code that takes a proof of work to another program, once. */
export interface ProofCodesTable {
  /** Keyed hash of the code. */
  codeHash: string
  endsAt: Time
}

// threads

/** A thread, with the fields that lists show; its opening text is post 1. */
export interface ThreadsTable {
  id: string
  categoryId: string
  title: string
  /** Beginning of post 1, for lists; empty while that is removed or folded, as is the image. */
  excerpt: string
  /** Those of post 1; null while it is removed. */
  nickname: string | null
  trip: ColumnType<string | null, string | null | undefined, string | null>
  userId: string | null
  /** The browser that opened it, or the former account that did; never leaves the server. */
  visitorId: string | null
  image: Image
  createdAt: Time
  aiGenerated: Generated<boolean>
  /** Only for a news thread: how its opening text was made. */
  summary: ColumnType<SummaryKind | null, SummaryKind | null | undefined, SummaryKind | null>
  sourceSite: string | null
  sourceUrl: string | null
  /**
   * Live counters. No index contains them, so raising them rewrites no index (heap-only update).
   */
  likes: Generated<number>
  postCount: Generated<number>
  /** Increases with every visible change of the thread. */
  revision: Generated<number>
  lastPostAt: Time
  /** Of the posts, those with sage. */
  sages: Generated<number>
  /**
   * The time of the last post without sage where a later one has it; null where that is
   * `lastPostAt`.
   */
  liftedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Trending score in logarithmic form, see threads.trending.ts. */
  heat: Generated<number>
  /**
   * Copies of the counters for sorting lists, refreshed within a second by
   * threads.sort-columns.ts.
   */
  rankedPosts: Generated<number>
  rankedLikes: Generated<number>
  rankedHeat: Generated<number>
  /** Copy of the time of the last post without sage, in whole milliseconds. */
  rankedPostAt: ColumnType<Date, Date | undefined, Date>
  /** Set while posting is locked. */
  lockedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /**
   * When the post that reached the limit was written: the thread is a past log for good, also when
   * the limit is raised later.
   */
  closedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /**
   * The threads before and after this one (前スレ, 次スレ). Either may be removed or purged. The row
   * lock of the earlier thread makes its next one unique.
   */
  previousThreadId: ColumnType<string | null, string | null | undefined, string | null>
  nextThreadId: ColumnType<string | null, string | null | undefined, string | null>
  /** First in the list of its category, or also in that of the whole board. */
  pinned: ColumnType<ThreadPin | null, ThreadPin | null | undefined, ThreadPin | null>
  /** Set when the thread is removed: it is hidden at once, and later deleted with its posts. */
  removedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /**
   * Its nicknames were deleted (NICKNAMES_KEEP_DAYS) and must be rebuilt from its posts before a
   * name is claimed.
   */
  namesForgotten: Generated<boolean>
}

/**
 * What lists show of a thread and order by; filled on a cluster only (thread-heads.ts). It has no
 * foreign keys, because the threads are on other servers.
 */
export interface ThreadHeadsTable extends Omit<ThreadsTable, 'visitorId' | 'namesForgotten'> {
  /** The newest like of the thread itself. */
  lastLikeAt: ColumnType<Date | null, Date | null, Date | null>
}

/** The thread that a client's request has opened, so that a resend gets the same one. */
export interface ThreadRequestsTable {
  clientThreadId: string
  threadId: string
}

/**
 * The owner of a nickname in a thread: the first visitor who posted with it. `name` is folded.
 * Deleted while `threads.namesForgotten` is set, and then rebuilt from the posts.
 */
export interface NicknamesTable {
  threadId: string
  name: string
  visitorId: string
  createdAt: Time
}

/**
 * Key of a thread for browsers of 2ch, in each category that it has been in: the second of its
 * opening, or the next free one. bigint is returned as text.
 */
export interface ThreadKeysTable {
  categoryId: string
  key: ColumnType<string, string | number, never>
  threadId: string
}

// ip-logging

/** Temporary logging of the addresses that write in a thread (terms, article 3). */
export interface TraceOrdersTable {
  id: string
  threadId: string
  reason: string
  createdBy: string | null
  createdAt: Time
  endsAt: Time
  endedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

/** Address and user agent of a post's author, encrypted; deleted when the order ends. */
export interface TracesTable {
  threadId: string
  postId: string
  orderId: string
  sealed: string
  createdAt: Time
}

// posts

/** A post. The posts of a thread are numbered from 1, without gaps. */
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
  /** Set when the post is removed; a tombstone keeps its number. */
  deletedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** The rule that the post broke, shown on the tombstone. */
  removedRule: ColumnType<RuleKey | null, RuleKey | null | undefined, RuleKey | null>
  /** Removed by its writer: no undo brings it back. */
  withdrawn: Generated<boolean>
  /** Set while the post is folded, because many reported it, or by the opener of its thread. */
  foldedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Why the opener of the thread folded it; null for a post that was folded after reports. */
  foldReason: ColumnType<string | null, string | null | undefined, string | null>
  /** Has the staff mark: its author moderated the category at that time. */
  asStaff: Generated<boolean>
  /** Tripcode, computed from a key that is not stored. */
  trip: ColumnType<string | null, string | null | undefined, string | null>
  /**
   * ID, the same for the posts of one person in the thread and on the day; see features/posters.
   */
  posterId: ColumnType<string | null, string | null | undefined, string | null>
  /** Did not lift the thread in the order of the last posts. */
  sage: Generated<boolean>
  /** Addresses in it are text, because its writer was a newcomer. */
  plainLinks: Generated<boolean>
  /** The mail field of an imported post, where it is not what `sage` says. */
  mail: ColumnType<string | null, string | null | undefined, string | null>
}

// owners

/** What the opener of a thread did in it: its public log. It names nobody. */
export interface OwnerActionsTable {
  threadId: string
  /** That of its entry in the audit log. */
  id: string
  kind: 'note' | 'fold' | 'silence' | 'close'
  at: Time
  /** Of a fold or silence: the post, and its number. */
  postId: string | null
  number: number | null
  /** Of a silence. */
  posterId: string | null
  /** The note, or the reason; deleted when the action is taken back. */
  text: string | null
  /** Who took it back; null while it stands. */
  undoneBy: ColumnType<'owner' | 'staff' | null, 'owner' | 'staff' | null | undefined, 'owner' | 'staff' | null>
}

// held

/** The fields of a held post or thread, for its publication after approval. */
export interface HeldPayload {
  readonly name: string | null
  readonly content: string
  readonly image: StoredImage | null
  /** Set for a thread. */
  readonly title?: string
  /** As in `posts`; each is missing for false and null. */
  readonly asStaff?: boolean
  readonly trip?: string
  readonly posterId?: string
  readonly sage?: boolean
  readonly plainLinks?: boolean
  /** For a thread that continues another one. */
  readonly previousThreadId?: string
}

/**
 * Posts, and threads (without `threadId`), that are held for a moderator. An approved post keeps
 * its id. `payload` is null some time after the decision.
 */
export interface HeldPostsTable {
  id: string
  status: 'waiting' | 'approved' | 'rejected' | 'withdrawn'
  categoryId: string
  threadId: string | null
  visitorId: string
  userId: string | null
  /** The client's id of the request. */
  clientId: string | null
  /**
   * Why it is held: raid mode, a word, an image of a newcomer, a text that others have written too,
   * or because its author was banned, or silenced in the thread, while it was held. `expired`: it
   * was rejected because it could no longer be published.
   */
  why: 'word' | 'shield' | 'image' | 'similar' | 'ban' | 'silence' | 'expired'
  /** The word that matched. */
  detail: string | null
  payload: JSONColumnType<HeldPayload | null, string | null, string | null>
  createdAt: Time
  decidedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
}

// likes

/** Which members like a thread. */
export interface ThreadLikesTable {
  threadId: string
  userId: string
  createdAt: Time
}

/** Which members like a post. */
export interface PostLikesTable {
  threadId: string
  userId: string
  postId: string
  createdAt: Time
}

// reports

/**
 * The content of the reported post at that time, and the text that the reporter saw according to
 * the client.
 */
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
   * The voice that the report counts for: the id of an established member; visitors and new members
   * of one address share one voice, so that discarding cookies and opening accounts has no effect.
   * It is the hash of the address on the day of its first report in the case, at most
   * LOOK_BACK_DAYS before.
   */
  voice: string
  /** Does not count, because its reporter is muted. */
  muted: Generated<boolean>
}

/**
 * All reports of one post, and the decision. Opened by the first report, or by a word rule that
 * flags.
 */
export interface CasesTable {
  threadId: string
  postId: string
  number: number
  /** Category of the thread; changes when the thread is moved. */
  categoryId: string
  status: 'open' | 'closed'
  /** Number of reports, and of distinct voices of reporters who are not muted. */
  reports: number
  voices: number
  /** Number of voices at the last dismissal: only later ones may fold the post again. */
  heardVoices: Generated<number>
  /** The word whose rule flagged the post; null when it was only reported. */
  flag: string | null
  note: Generated<string>
  decision: ColumnType<string | null, string | null | undefined, string | null>
  /** Name of the moderator who decided. */
  decidedBy: ColumnType<string | null, string | null | undefined, string | null>
  decidedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** The log entry of the decision. */
  actionId: ColumnType<string | null, string | null | undefined, string | null>
  /** When the case was opened, or reopened. */
  createdAt: Time
}

/**
 * Reporters (member or visitor ids) whose reports do not count for now. The log contains the
 * moderator and the reason.
 */
export interface MutedReportersTable {
  reporter: string
  /** Null means until the mute is ended. */
  until: ColumnType<Date | null, Date | null, Date | null>
}

// profile

/**
 * A deleted account. The row stays until its name is removed from every post, and its picture is
 * deleted.
 */
export interface DeparturesTable {
  userId: string
  picture: Image
  createdAt: Time
}

// notebook

/** What a member has read of a thread, on any device. The server reads nothing else in `entry`. */
export interface NotebookEntriesTable {
  userId: string
  threadId: string
  entry: JSONColumnType<NotebookEntry, string, string>
  /** Rises with every change of the member's notebook. bigint is returned as text. */
  version: ColumnType<string, number, number>
}

/** A rule of hiding (NG) of a member, or that it was removed on one of the devices. */
export interface HidingRulesTable {
  userId: string
  /** Of what the rule is about: hiding.queries.ts. */
  targetHash: string
  entry: JSONColumnType<HidingEntry, string, string>
  /** Rises with every change of the member's rules. bigint is returned as text. */
  version: ColumnType<string, number, number>
}

/** A browser that is registered for Web Push. Nothing ties it to a member, a visitor or a post. */
export interface PushBrowsersTable {
  id: string
  /** Hash of the token that the browser chose. */
  tokenHash: string
  /** Keyed hash of the address at the push service: a subscription is registered once. */
  endpointHash: string
  /** The subscription as JSON, encrypted by lib/secret-box.ts. */
  sealedSubscription: string
  answers: boolean
  titles: boolean
  /** Hours in Japan; both null for none. */
  quietFrom: number | null
  quietUntil: number | null
  perHour: number
  /** Beginning of the hour whose notices `sentInHour` counts. */
  hourStartedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  sentInHour: Generated<number>
  /** Refusals by the push service since it last took a notice. */
  failures: Generated<number>
  seenAt: Time
}

export interface PushWatchesTable {
  threadId: string
  browserId: string
  /** Whether new posts are sent, besides answers to own posts. */
  watched: boolean
  ownPosts: number[]
}

export interface PushWordsTable {
  /** Folded. */
  word: string
  browserId: string
}

/** What waits to be sent, or was sent lately: one for each browser and thread. */
export interface PushNoticesTable {
  browserId: string
  threadId: string
  kind: PushKind
  /** The first post that it is about. */
  number: number
  /** Null after it was sent. Postponed when an attempt begins, like that of mails. */
  dueAt: ColumnType<Date | null, Date, Date | null>
  sentAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  tries: Generated<number>
}

/** answer: to an own post; posts: in a watched thread; thread: a new one with a watched word. */
export type PushKind = 'answer' | 'posts' | 'thread'

// news

/** A feed that the board fetches. */
export interface NewsSourcesTable {
  id: string
  url: string
  /** Shown as 出典. */
  name: string
  /** Null once its category is deleted. */
  categoryId: string | null
  /**
   * BCP 47. A Japanese feed leads to threads by its Japanese articles only; with any other language
   * all articles are used, in whatever language they are.
   */
  language: string
  permission: NewsPermission
  intervalMinutes: number
  active: boolean
  /** Validators of the feed's last answer (RFC 9110). */
  etag: ColumnType<string | null, string | null | undefined, string | null>
  lastModified: ColumnType<string | null, string | null | undefined, string | null>
  /** The last successful fetch. */
  fetchedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  nextFetchAt: Time
  problem: ColumnType<NewsProblem | null, NewsProblem | null | undefined, NewsProblem | null>
  /** Number of consecutive failed fetches. */
  failures: Generated<number>
  /**
   * Number of threads opened from its articles, including those that were removed later. Stored,
   * because counting the rows takes too long when there are many.
   */
  threads: Generated<number>
  createdAt: Time
}

/** The text of an article, and what was made of it: all is deleted together. */
export interface StoredDocument extends ArticleDocument {
  /** Its direction by an embedding model, as base64 of 32-bit floats; missing without one. */
  readonly embedding?: { readonly model: string; readonly vector: string }
}

/** A correction of a story; older ones have no changes. */
export interface StoredCorrection {
  readonly at: string
  readonly note: string
  readonly changes?: readonly { readonly before: string; readonly after: string }[]
}

/**
 * One or more articles about the same event, and their progress to a thread. The state alone
 * determines the next step, so that a restarted server continues: new (to be summarised), ready (to
 * be published), waiting (for approval), published, and three final states.
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
  /** Total of all attempts. */
  inputTokens: Generated<number>
  outputTokens: Generated<number>
  milliseconds: Generated<number>
  madeAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  publishedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  problem: ColumnType<NewsProblem | null, NewsProblem | null | undefined, NewsProblem | null>
  /** Findings of the checker, or changes of the article, in Japanese for administrators. */
  findings: JSONColumnType<string[], string | undefined, string>
  /** When the next step is due; null when there is none. */
  nextTryAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** Whether the article still contains the basis of the summary. */
  currency: ColumnType<SummaryCurrency, SummaryCurrency | undefined, SummaryCurrency>
  changedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When somebody has looked at that change. */
  reviewedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When the article is fetched again; null when it is not. */
  nextCheckAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  corrections: JSONColumnType<StoredCorrection[], string | undefined, string>
  /** When processing began: after it was found, approved, or restarted. */
  begunAt: Time
  /** When an administrator approved the publication; null where no approval was needed. */
  approvedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  createdAt: Time
}

/**
 * An article of a feed, by its address. `nextTryAt` is set while it is being processed (found or
 * read).
 */
export interface NewsArticlesTable {
  id: string
  /** SHA-256 of the address without fragment and campaign parameters. */
  urlHash: string
  canonicalHash: ColumnType<string | null, string | null | undefined, string | null>
  sourceId: string | null
  storyId: ColumnType<string | null, string | null | undefined, string | null>
  url: string
  /** The title in the feed. */
  title: string
  publishedAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  state: 'found' | 'read' | 'told' | 'skipped'
  problem: ColumnType<NewsProblem | null, NewsProblem | null | undefined, NewsProblem | null>
  attempts: Generated<number>
  nextTryAt: ColumnType<Date | null, Date | null | undefined, Date | null>
  document: JSONColumnType<StoredDocument | null, string | null | undefined, string | null>
  /** Bands of its fingerprint: two articles with a common band may be about the same event. */
  bands: ColumnType<number[], number[] | undefined, number[]>
  foundAt: Time
}

/** Calls of the language model, for the budget and the record. */
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

// gateway

/**
 * The bytes of each post's line in the dat of a thread, from post 1 on, fixed when a line is first
 * sent: clients ask for what is behind the bytes that they have.
 */
export interface DatLengthsTable {
  threadId: string
  bytes: number[]
}

/**
 * Every table by its name, grouped by the feature (or folder) that writes it: table-owners.test.ts.
 */
export interface Tables {
  // settings
  settings: SettingsTable
  // db
  revisions: RevisionsTable
  tallies: TalliesTable
  // images
  imageTotals: ImageTotalsTable
  // audit
  auditLog: AuditLogTable
  // words
  bannedWords: BannedWordsTable
  // search
  searchDocuments: SearchDocumentsTable
  searchBuckets: SearchBucketsTable
  // categories
  categories: CategoriesTable
  // accounts
  users: UsersTable
  userNames: UserNamesTable
  sessions: SessionsTable
  mailTokens: MailTokensTable
  mails: MailsTable
  secondFactors: SecondFactorsTable
  moderators: ModeratorsTable
  rooms: RoomsTable
  // bans
  bans: BansTable
  origins: OriginsTable
  // posters
  dayKeys: DayKeysTable
  // levels
  levels: LevelsTable
  levelPhrases: LevelPhrasesTable
  levelMoves: LevelMovesTable
  ownerActions: OwnerActionsTable
  // shields
  shields: ShieldsTable
  proofs: ProofsTable
  proofCodes: ProofCodesTable
  // threads
  threads: ThreadsTable
  threadHeads: ThreadHeadsTable
  threadRequests: ThreadRequestsTable
  nicknames: NicknamesTable
  threadKeys: ThreadKeysTable
  // ip-logging
  traceOrders: TraceOrdersTable
  traces: TracesTable
  // posts
  posts: PostsTable
  // held
  heldPosts: HeldPostsTable
  // likes
  threadLikes: ThreadLikesTable
  postLikes: PostLikesTable
  // reports
  reports: ReportsTable
  cases: CasesTable
  mutedReporters: MutedReportersTable
  // profile
  departures: DeparturesTable
  // notebook
  notebookEntries: NotebookEntriesTable
  hidingRules: HidingRulesTable
  // push
  pushBrowsers: PushBrowsersTable
  pushWatches: PushWatchesTable
  pushWords: PushWordsTable
  pushNotices: PushNoticesTable
  // news
  newsSources: NewsSourcesTable
  newsStories: NewsStoriesTable
  newsArticles: NewsArticlesTable
  newsCalls: NewsCallsTable
  // gateway
  datLengths: DatLengthsTable
}
