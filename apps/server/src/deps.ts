import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from './config.ts'
import type { Db } from './db/client.ts'
import type { Revisions } from './db/revisions.ts'
import type { Admission } from './features/admission/admission.service.ts'
import type { AccountLimits } from './features/accounts/account-limits.ts'
import type { VerifyGoogleToken } from './features/accounts/google-token.ts'
import type { Mails } from './features/accounts/mails.service.ts'
import type { Bans } from './features/bans/bans.service.ts'
import type { BannedWords } from './features/words/words.service.ts'
import type { Shields } from './features/shields/shields.service.ts'
import type { Likes } from './features/likes/likes.service.ts'
import type { PostWriter } from './features/posts/posts.writer.ts'
import type { Holding } from './features/held/holding.service.ts'
import type { IpLogging } from './features/ip-logging/ip-logging.service.ts'
import type { Departures } from './features/profile/departures.service.ts'
import type { LogWatch } from './features/moderation/log-watch.ts'
import type { RemovedImages } from './features/posts/removed-images.ts'
import type { News } from './features/news/news.service.ts'
import type { ImageCollector } from './features/images/images.collector.ts'
import type { StoredImages } from './features/images/images.tally.ts'
import type { LiveSettings } from './features/settings/settings.service.ts'
import type { SearchIndexer } from './features/search/search.indexer.ts'
import type { ThreadRanking } from './features/threads/threads.ranking.ts'
import type { Limits } from './http/limits.ts'
import type { Metrics } from './http/metrics.ts'
import type { ResponseCache } from './http/response-cache.ts'
import type { Sessions } from './http/session.ts'
import type { Visitors } from './http/visitor.ts'
import type { Writability } from './http/writability.ts'
import type { Background } from './lib/background.ts'
import type { ImageFiles } from './lib/image-files.ts'
import type { Voices } from './features/threads/threads.voices.ts'
import type { Searches } from './features/search/searches.ts'
import type { ImageStore } from './lib/image-store.ts'
import type { Live } from './realtime/live.ts'

/** Fastify, with schemas and handlers typed by the contract. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** What features are given; `app.ts` makes it once. */
export interface Deps {
  readonly config: Config
  readonly db: Db
  /** The database to read a public answer from, once it is tagged: a replica where one has all that the answer shows. */
  readonly dbFor: (request: Pick<FastifyRequest, 'cacheLoad'>) => Db
  /** The same on the connections of searches; for what `searches` runs. */
  readonly searchDbFor: (request: Pick<FastifyRequest, 'cacheLoad'>) => Db
  readonly searches: Searches
  readonly voices: Voices
  readonly log: FastifyBaseLogger
  /** Milliseconds since 1970; tests set their own clock. */
  readonly now: () => number
  readonly revisions: Revisions
  readonly settings: LiveSettings
  readonly writability: Writability
  readonly cache: ResponseCache
  readonly limits: Limits
  readonly accountLimits: AccountLimits
  /** Keys hashes and tokens. */
  readonly secret: string
  readonly sessions: Sessions
  readonly visitors: Visitors
  /** Null without GOOGLE_CLIENT_ID. */
  readonly verifyGoogleToken: VerifyGoogleToken | null
  /** Null without SMTP_URL. */
  readonly mails: Mails | null
  readonly background: Background
  /** What is counted for /metrics. */
  readonly metrics: Metrics
  readonly live: Live
  readonly images: ImageStore
  /** Their files, wherever they lie. */
  readonly imageFiles: ImageFiles
  readonly storedImages: StoredImages
  readonly imageCollector: ImageCollector
  readonly words: BannedWords
  readonly bans: Bans
  readonly shields: Shields
  readonly admission: Admission
  readonly holding: Holding
  /** Shows the moderators, in the background, a post that holds a word whose rule flags. */
  readonly flagPost: (flagged: { readonly threadId: string; readonly postId: string; readonly word: string }) => void
  /** What stands beside threads under their category goes along when they are moved. */
  readonly moveWithThreads: (tx: Db, threadIds: readonly string[], categoryId: string) => Promise<void>
  readonly ipLogging: IpLogging
  readonly search: SearchIndexer
  readonly ranking: ThreadRanking
  readonly postWriter: PostWriter
  readonly likes: Likes
  readonly departures: Departures
  readonly removedImages: RemovedImages
  readonly logWatch: LogWatch
  readonly news: News
}
