import type { Row } from '../lib/figure.ts'
import { busyList } from './busy-list.ts'
import { cachedHttp } from './cached-http.ts'
import { clusterRow } from './cluster.ts'
import { delivery } from './delivery.ts'
import { gateway } from './gateway.ts'
import { idleSockets } from './idle-sockets.ts'
import { importRow } from './import.ts'
import { lighthouse } from './lighthouse.ts'
import { moderation } from './moderation.ts'
import { news } from './news.ts'
import { posts } from './posts.ts'
import { scale } from './scale.ts'
import { scrolling } from './scrolling.ts'
import { search } from './search.ts'
import { start } from './start.ts'
import { uncachedPage } from './uncached-page.ts'

/** In the order of the table. */
export const ROWS: readonly Row[] = [
  cachedHttp,
  gateway,
  uncachedPage,
  posts,
  delivery,
  idleSockets,
  scale,
  search,
  busyList,
  moderation,
  importRow,
  news,
  start,
  lighthouse,
  scrolling,
  clusterRow,
]
