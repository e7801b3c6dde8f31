import type { PublicLogEntry } from '@shinobi/contract/moderation'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { apiPage } from '../../lib/api-client.ts'

/** A page of the public log (御触書), newest first; `cursor` null is the beginning. */
export const publicLogQuery = (cursor: string | null) =>
  queryOptions({
    queryKey: ['moderation-log', cursor] as const,
    queryFn: (context) =>
      apiPage<PublicLogEntry>(
        cursor === null ? '/api/moderation-log' : `/api/moderation-log?cursor=${encodeURIComponent(cursor)}`,
        context,
      ),
    placeholderData: keepPreviousData,
  })

/** The cursor in a page's API path. */
export const cursorOf = (path: string | null): string | null =>
  path === null ? null : new URLSearchParams(path.slice(path.indexOf('?') + 1)).get('cursor')
