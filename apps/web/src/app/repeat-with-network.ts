import type { Query, QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/api-client.ts'
import { keepTrying } from '../lib/keep-trying.ts'
import { isReachable } from '../lib/load-chunk.ts'

/** What is missing on the screen because no answer came. */
const MISSING = {
  type: 'active',
  predicate: ({ state }: Query) => state.data === undefined && hadNoAnswer(state.error),
} as const

const hadNoAnswer = (error: unknown): boolean => error instanceof ApiError && error.code === 'network'

/**
 * Repeats the queries that failed without a network once the server answers. TanStack Query does so
 * only when the browser reports a network, which may be too early. While the server answers,
 * visitors repeat what failed by its button.
 */
export function repeatWithNetwork(client: QueryClient): void {
  let end: (() => void) | null = null
  const stop = () => {
    end?.()
    end = null
  }
  const attempt = async () => {
    if (client.getQueryCache().findAll(MISSING).length === 0) return stop()
    if (end === null || !(await isReachable())) return
    stop()
    await client.refetchQueries(MISSING)
  }
  const begin = async () => {
    if (!(await isReachable())) end ??= keepTrying(() => void attempt())
  }
  client.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error' && hadNoAnswer(event.action.error)) void begin()
  })
}
