import type { Row } from '../lib/figure.ts'
import { cachedHttp } from './cached-http.ts'
import { delivery } from './delivery.ts'
import { posts } from './posts.ts'
import { start } from './start.ts'
import { uncachedPage } from './uncached-page.ts'

/** In the order of the table. */
export const ROWS: readonly Row[] = [cachedHttp, uncachedPage, posts, delivery, start]
