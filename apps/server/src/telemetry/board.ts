/**
 * The board's own metrics: cache, live connections, queues, the process. All are read from where
 * they are kept.
 */
import { performance } from 'node:perf_hooks'
import type { Core } from '../core.ts'
import type { Images } from '../features/images/images.service.ts'
import type { Likes } from '../features/likes/likes.service.ts'
import type { PostWriter } from '../features/posts/posts.writer.ts'
import type { SearchIndexer } from '../features/search/search.indexer.ts'
import type { SortColumns } from '../features/threads/threads.sort-columns.ts'
import type { SocketServer } from '../realtime/socket-server.ts'
import { addCounters, addGauges } from './figures.ts'

export interface BoardFigures extends Pick<Core, 'metrics' | 'cache' | 'live' | 'background' | 'writability'> {
  readonly search: SearchIndexer
  readonly sortColumns: SortColumns
  readonly postWriter: PostWriter
  readonly likes: Likes
  readonly sockets: SocketServer
  readonly storage: Images
}

export function addBoardFigures(board: BoardFigures): void {
  addCacheFigures(board)
  addLiveFigures(board)
  addWaitingFigures(board)
  addWritabilityFigures(board)
  addImageFigures(board)
  addProcessFigures(board)
}

function addCacheFigures({ metrics, cache }: BoardFigures): void {
  addCounters(metrics, [
    {
      name: 'shinobi_cache_answers_total',
      help: 'Requests by what the cache did for them: hit (answered), wait (answered by a load under way), miss (sent to the router), personal (never cached)',
      label: 'outcome',
      read: () => {
        const { hits, waits, misses, personal } = cache.stats()
        return { hit: hits, wait: waits, miss: misses, personal }
      },
    },
    {
      name: 'shinobi_cache_drops_total',
      help: 'Changes that ended the time of cached answers',
      read: () => cache.stats().drops,
    },
    {
      name: 'shinobi_cache_evictions_total',
      help: 'Cached answers that had to go because there was no more room',
      read: () => cache.stats().evictions,
    },
    {
      name: 'shinobi_cache_last_resorts_total',
      help: 'Requests answered with the last known answer, because a newer one could not be made',
      read: () => cache.stats().lastResorts,
    },
  ])
  addGauges(metrics, 'sum', [
    { name: 'shinobi_cache_entries', help: 'Answers in the cache', read: () => cache.stats().entries },
    { name: 'shinobi_cache_bytes', help: 'Memory that they count for', read: () => cache.stats().bytes },
  ])
}

function addLiveFigures({ metrics, live, sockets: { io, counts } }: BoardFigures): void {
  addGauges(metrics, 'sum', [
    { name: 'shinobi_sockets', help: 'Open live connections', read: () => io.engine.clientsCount },
    {
      name: 'shinobi_rooms',
      help: 'Threads that somebody has open; one that is open on several processes counts on each',
      read: () => live.openThreads().length,
    },
  ])
  addCounters(metrics, [
    {
      name: 'shinobi_socket_events_total',
      help: 'Events received, by name; unknown are those that the board has none of',
      label: 'event',
      read: () => counts.received,
    },
    {
      name: 'shinobi_socket_events_refused_total',
      help: 'Events refused because their connection sent too many',
      read: () => counts.refused,
    },
    {
      name: 'shinobi_handshakes_refused_total',
      help: 'Live connections refused: origin (a page of another site), address (too many of one), identity (a session that has ended, or could not be read)',
      label: 'reason',
      read: () => counts.turnedAway,
    },
    {
      name: 'shinobi_broadcasts_total',
      help: 'Events told to a room or to everybody, each once however many hear it',
      label: 'event',
      read: () => counts.told,
    },
  ])
}

function addWaitingFigures({ metrics, postWriter, likes, search, sortColumns, background }: BoardFigures): void {
  const groups = () => {
    const { threads, posts } = likes.stats()
    return { posts: postWriter.stats(), thread_likes: threads, post_likes: posts }
  }
  const ofGroups = (figure: 'groups' | 'items') => (): Record<string, number> =>
    Object.fromEntries(Object.entries(groups()).map(([of, stats]) => [of, stats[figure]]))
  addGauges(metrics, 'sum', [
    {
      name: 'shinobi_waiting',
      help: 'What waits to be done: posts and likes to be written, likes to be told, texts to be indexed, threads to be ranked, work in the background',
      label: 'queue',
      read: () => ({
        posts: postWriter.stats().waiting,
        thread_likes: likes.stats().threads.waiting,
        post_likes: likes.stats().posts.waiting,
        like_news: likes.stats().unannounced,
        search: search.waiting(),
        ranking: sortColumns.waiting(),
        background: background.waiting(),
      }),
    },
  ])
  addCounters(metrics, [
    {
      name: 'shinobi_groups_total',
      help: 'Batches in which posts and likes were written',
      label: 'of',
      read: ofGroups('groups'),
    },
    {
      name: 'shinobi_grouped_total',
      help: 'Posts and likes in these groups; divided by shinobi_groups_total it is the size of a group',
      label: 'of',
      read: ofGroups('items'),
    },
  ])
}

function addWritabilityFigures({ metrics, writability }: BoardFigures): void {
  addGauges(metrics, 'min', [
    {
      name: 'shinobi_disk_free_bytes',
      help: 'Free space of DATA_DIR, as seen in the last seconds',
      read: () => writability.disk.freeBytes,
    },
  ])
  addGauges(metrics, 'max', [
    {
      name: 'shinobi_writes_refused',
      help: 'Why writes of visitors are refused now (1): read_only and disk_full refuse all of them, disk_low pictures',
      label: 'reason',
      read: () => {
        const { obstacle } = writability
        return {
          read_only: Number(obstacle === 'read_only'),
          disk_full: Number(obstacle === 'disk_full'),
          disk_low: Number(obstacle === 'disk_low'),
        }
      },
    },
  ])
}

function addImageFigures({ metrics, storage: { files, stored, collector } }: BoardFigures): void {
  // Each process knows the total of all.
  addGauges(metrics, 'max', [
    {
      name: 'shinobi_image_bytes',
      help: 'Bytes of all stored pictures, hidden ones too, as this process knew them last',
      read: () => stored.totals()?.bytes ?? null,
    },
    {
      name: 'shinobi_image_files',
      help: 'Their files, two for most pictures',
      read: () => stored.totals()?.files ?? null,
    },
  ])
  addCounters(metrics, [
    {
      name: 'shinobi_images_collected_total',
      help: 'Pictures that nothing showed, and files written half, that were taken away',
      read: () => collector.collected(),
    },
    {
      name: 'shinobi_image_storage_failures_total',
      help: 'Calls of the S3-compatible storage that it did not answer, or refused',
      read: () => files.failures(),
    },
  ])
}

function addProcessFigures({ metrics }: BoardFigures): void {
  let before = performance.eventLoopUtilization()
  // Of several processes the busiest counts, because its visitors wait.
  addGauges(metrics, 'max', [
    {
      name: 'shinobi_event_loop_utilization',
      help: 'Share of the time since the last scrape, 0 to 1, in which the event loop was busy',
      read: () => {
        const now = performance.eventLoopUtilization()
        const { utilization } = performance.eventLoopUtilization(now, before)
        before = now
        return utilization
      },
    },
  ])
}
