/** The services of the board. Those that requests themselves need are in infrastructure.ts. */
import { createAccountLimits } from './features/accounts/account-limits.ts'
import { createGoogleVerifier } from './features/accounts/google-token.ts'
import { openMails } from './features/accounts/mails.service.ts'
import { createAdmission } from './features/admission/admission.service.ts'
import { createSimilarTexts } from './features/admission/similar-texts.ts'
import { followBans } from './features/bans/bans.service.ts'
import { createCards } from './features/cards/cards.service.ts'
import { createDats } from './features/gateway/dats.service.ts'
import { startHeldRelease } from './features/held/held.release.ts'
import { createHolding } from './features/held/holding.service.ts'
import { followIpLogging } from './features/ip-logging/ip-logging.service.ts'
import { createLevels } from './features/levels/levels.service.ts'
import { createLikes } from './features/likes/likes.service.ts'
import { followRemovals } from './features/moderation/follow-removals.ts'
import { createNews } from './features/news/news.service.ts'
import { createPosterIds } from './features/posters/poster-ids.ts'
import { createTrips } from './features/posters/trips.ts'
import { createLateCounts } from './features/posts/late-counts.ts'
import { announcePosts } from './features/posts/posts.announcer.ts'
import { createPostWriter } from './features/posts/posts.writer.ts'
import { createRemovedImages } from './features/posts/removed-images.ts'
import { createDepartures } from './features/profile/departures.service.ts'
import { createPush } from './features/push/push.service.ts'
import { createReports } from './features/reports/reports.service.ts'
import { createSearchIndexer } from './features/search/search.indexer.ts'
import { createSearches } from './features/search/searches.ts'
import { followShields } from './features/shields/shields.service.ts'
import { createThreadEvents } from './features/threads/thread-events.ts'
import { keepThreadHeads } from './features/threads/thread-heads.ts'
import { giveThreadKeys } from './features/threads/thread-keys.queries.ts'
import { createSortColumns } from './features/threads/threads.sort-columns.ts'
import { remindReaders } from './features/threads/threads.reminder.ts'
import { createPostWeights } from './features/threads/threads.post-weight.ts'
import { followBannedWords } from './features/words/word-verdicts.service.ts'
import { purgePosts, purgeThreads } from './purge.ts'
import { createRetention } from './retention.ts'
import { createSweeper } from './sweeper.ts'
import type { openInfrastructure } from './infrastructure.ts'
import type { Services } from './lib/services.ts'

export interface ServiceOptions {
  /** Delay between two requests to one publisher; unset for the polite default. */
  readonly newsHostDelayMs?: number
  /** Time that drawing the picture of a shared link may take; unset for the usual one. */
  readonly cardBudgetMs?: number
}

/** Creates every service, and what routes share. @returns what routes may use */
export async function createBoardServices(
  { sockets, ...core }: Omit<Awaited<ReturnType<typeof openInfrastructure>>, 'app'>,
  services: Services,
  { newsHostDelayMs, cardBudgetMs }: ServiceOptions,
) {
  const { config, db, log, now, bus, keyLimit, revisions } = core

  // Each service may use those above it, and is closed before them.
  const words = await followBannedWords(db, revisions)
  const search = services.add('search', createSearchIndexer(core))
  const searches = createSearches(keyLimit)
  const mails = services.add('mails', openMails(core))
  services.add('background', core.background)
  const accountLimits = createAccountLimits(config, keyLimit)
  const verifyGoogleToken = createGoogleVerifier(config, log, now)
  const bans = services.add('bans', await followBans(core))
  const posterIds = services.add('poster ids', createPosterIds(core))
  const trips = createTrips(core.secret, core.limits)
  const levels = services.add('levels', createLevels(core))
  const shields = services.add('shields', await followShields({ ...core, levels }))
  const similarTexts = services.add('similar texts', createSimilarTexts(core))
  const admission = createAdmission({ ...core, words, bans, posterIds, trips, levels, shields, similarTexts })
  const threadEvents = createThreadEvents()
  threadEvents.onMove(giveThreadKeys)
  const sortColumns = services.add('sortColumns', createSortColumns(core))
  services.add('thread heads', await keepThreadHeads(core, sortColumns))
  const postWeights = createPostWeights()
  bus?.watch((isWhole) => isWhole && remindReaders(core))
  const cards = services.add('cards', createCards(core, { budgetMs: cardBudgetMs }))
  const ipLogging = services.add('IP logging', await followIpLogging(core))
  const removedImages = services.add('images of removed posts', createRemovedImages({ ...core, threadEvents }))
  services.add('reports', createReports({ ...core, words, threadEvents }))
  const lateCounts = services.add('late counts', createLateCounts(core))
  const postWriter = services.add('posts', createPostWriter({ ...core, lateCounts }))
  announcePosts(postWriter, { ...core, search, sortColumns })
  const holding = createHolding({ ...core, threadEvents })
  services.add('held', startHeldRelease({ ...core, words, search, bans, shields, levels, postWriter, threadEvents }))
  const likes = services.add('likes', createLikes({ ...core, sortColumns }))
  const push = services.add('push', createPush({ ...core, postWriter, threadEvents }))
  const departures = services.add('departures', createDepartures({ ...core, levels }))
  const removalFollower = services.add(
    'moderation log',
    followRemovals({ ...core, search, removedImages, sortColumns, levels }),
  )
  const news = services.add(
    'news',
    createNews({ ...core, search, words, threadEvents }, { hostDelayMs: newsHostDelayMs }),
  )
  const dats = createDats(core)
  services.add('purge of posts', { sweep: (at, signal) => purgePosts(core, at, signal) })
  services.add('purge of threads', { sweep: (at, signal) => purgeThreads(core, at, signal) })
  services.add('retention', createRetention({ ...core, mails }))
  // Closed first: the services above still have to write the posts that sockets have received.
  services.add('sockets', sockets)
  services.add('sweeper', createSweeper(services, now))

  return {
    ...core,
    ...{ words, search, searches, mails, accountLimits, verifyGoogleToken, bans, trips, levels, shields, admission },
    ...{ threadEvents, sortColumns, postWeights, cards, ipLogging, removedImages, postWriter, holding, likes },
    ...{ departures, removalFollower, news, push, dats },
  }
}
