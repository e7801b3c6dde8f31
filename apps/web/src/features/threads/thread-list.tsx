import { PAGE_SIZE } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState, type MouseEvent } from 'react'
import { Link, useLocation, useNavigation, useNavigationType } from 'react-router'
import { ApiError } from '../../lib/api-client.ts'
import { deferred } from '../../lib/deferred.tsx'
import { useKeptPosition } from '../../lib/use-kept-position.ts'
import { useOnline } from '../../lib/use-online.ts'
import { Button } from '../../ui/button.tsx'
import { RetryIcon } from '../../ui/icons.tsx'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { OFFLINE } from '../../ui/offline.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { useShownTitles } from '../hiding/use-shown-titles.ts'
import { listedThreads, threadListQuery } from './api.ts'
import { cursorOf, listQuery, type ListView } from './list-address.ts'
import { HideAiSwitch } from './hide-ai-switch.tsx'
import type { ThreadArrival } from './arrival-notice.tsx'
import { ThreadRow } from './thread-row.tsx'
import { useUnreadFirst } from './use-unread-first.ts'
import styles from './thread-list.module.css'

const EmptyList = deferred(
  async () => (await import('./empty-list.tsx')).EmptyList,
  'src/features/threads/empty-list.tsx',
)
const Ninja = deferred(async () => (await import('../../ui/motifs/ninja.tsx')).Ninja)

const LiveList = deferred(async () => (await import('./live-list.tsx')).LiveList)

const ArrivalNotice = deferred(async () => (await import('./arrival-notice.tsx')).ArrivalNotice)

export interface ThreadListProps {
  /** Id or name as in the address; null for the whole board. */
  category: string | null
  view: ListView
}

/**
 * Loads more rows while scrolling. Every further page is a link as well, so that all of them are
 * reachable without scripts.
 */
export function ThreadList({ category, view }: ThreadListProps) {
  const { pathname } = useLocation()
  const searching = useNavigation().location?.pathname === pathname
  const query = useInfiniteQuery({
    ...threadListQuery(category, view),
    // What the board has just refused the loader is not asked once more.
    enabled: ({ state }) => state.data !== undefined || refusalOf(state.error) === null,
  })
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const client = useQueryClient()
  const known = useMemo(() => data?.pages.flatMap(({ items }) => items), [data])
  const arrange = useUnreadFirst(view.sort === 'unread', known)
  const listed = useMemo(() => listedThreads(data, client, arrange), [data, client, arrange])
  const isShown = useShownTitles()
  const threads = listed.filter(isShown)
  const refusal = refusalOf(query.error)
  const notice = useFailureNotice(category, data === undefined && refusal === null ? query.error : null)
  const end = useRef<HTMLAnchorElement>(null)
  const arrival = useArrival()
  const [arrived, setArrived] = useState<ReadonlySet<string>>(NONE)
  const isLive = useIsLive(view)
  const online = useOnline()

  useStartOver(category, view, data?.pages.length ?? 0)
  useKeptPosition({
    count: listed.length,
    pages: data?.pages.length ?? 0,
    canLoadMore: hasNextPage && !isFetchNextPageError,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
    goesToFragment: true,
  })

  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    const element = end.current
    if (!goesOn || element === null) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) void fetchNextPage({ cancelRefetch: false })
      },
      { rootMargin: '1200px' },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [goesOn, fetchNextPage])

  const continueHere = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void fetchNextPage()
  }

  const cursor = cursorOf(data?.pages.at(-1)?.next ?? null)
  return (
    <div className={styles['area']} aria-busy={searching || undefined}>
      {view.cursor !== null && (
        <p className={styles['back']}>
          <Link to={pathname + listQuery({ ...view, cursor: null })}>一覧の先頭に戻る</Link>
        </p>
      )}
      {isLive && data !== undefined && <LiveList {...{ category, view, isShown }} onShow={setArrived} />}
      <HideAiSwitch wanted={data?.pages[0]?.items.some(({ aiGenerated }) => aiGenerated) === true} />
      {threads.length > 0 && (
        <ul className={styles['list']}>
          {threads.map((thread) => (
            <ThreadRow
              key={thread._id}
              thread={thread}
              isNew={thread._id === arrival?.made || arrived.has(thread._id)}
              namesCategory={category === null}
            />
          ))}
        </ul>
      )}
      <p className={styles['hidden']}>
        ここにあるのはAI要約のスレッドだけです。上の「AI要約を隠す」を切ると、また並びます。
      </p>
      {data !== undefined && listed.length === 0 && <EmptyList view={view} inCategory={category !== null} />}
      {data === undefined && query.isError && (
        <div className={styles['retry']}>
          {refusal === null ? (
            <>
              <Ninja pose="offline" className={styles['figure']} />
              {/* The notice disappears after three seconds, and a category has none: this line stays. */}
              <p>{online ? 'スレッドを読み込めませんでした。' : OFFLINE}</p>
            </>
          ) : (
            <p role="alert">{refusal.message}</p>
          )}
          {(refusal === null || refusal.status === 429) && (
            <Button icon={<RetryIcon size={18} />} busy={query.isFetching} onClick={() => void query.refetch()}>
              もう一度読み込む
            </Button>
          )}
        </div>
      )}
      {cursor !== null && (
        <p className={styles['more']}>
          {isFetchingNextPage ? (
            <Spinner label="続きを読み込んでいます" />
          ) : (
            <>
              {isFetchNextPageError && <span role="alert">{refusal?.message ?? '続きを読み込めませんでした。'}</span>}
              <a ref={end} rel="next" href={pathname + listQuery({ ...view, cursor })} onClick={continueHere}>
                {isFetchNextPageError ? 'もう一度読み込む' : `次の${PAGE_SIZE}件`}
              </a>
            </>
          )}
        </p>
      )}
      {arrival !== null && <ArrivalNotice {...arrival} />}
      <NoticeRegion notice={notice.notice} onClose={notice.clear} />
    </div>
  )
}

const NONE: ReadonlySet<string> = new Set()

/** Nobody misses new threads in the first seconds, which belong to the loading of the page. */
const LIVE_AFTER_MS = 10_000

/** Whether the list follows the board: the first page of the newest threads, after a while. */
function useIsLive({ search, sort, cursor }: ListView): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LIVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return late && search === '' && sort === 'newest' && cursor === null
}

/**
 * The state that the form for a new thread passes on; null after Back or a reload, when it is
 * outdated.
 */
function useArrival(): ThreadArrival | null {
  const { state } = useLocation() as { state: Partial<ThreadArrival> | null }
  const arrived = useNavigationType() !== 'POP'
  return arrived && state?.made !== undefined ? { made: state.made } : null
}

/** The board's answer to a list that it refuses, such as a search that takes too long. */
const refusalOf = (error: Error | null): ApiError | null =>
  error instanceof ApiError && error.fromServer && error.status < 500 ? error : null

/** The board's list shows the failure; a category's list logs it (docs/product.md#thread-lists). */
function useFailureNotice(category: string | null, error: Error | null) {
  const notice = useTimedNotice()
  const { show } = notice
  useEffect(() => {
    if (error === null) return
    if (category === null) show(messages.threads_failed)
    else console.error('the thread list of the category could not be read', error)
  }, [category, error, show])
  return notice
}

/**
 * A visitor who arrives by a link (not by Back, and not at a row) gets only the first page,
 * refetched if stale, however many pages were loaded before.
 */
function useStartOver(category: string | null, view: ListView, pages: number): void {
  const queryClient = useQueryClient()
  const { key, hash } = useLocation()
  const arrived = useNavigationType() !== 'POP' && hash === ''
  const handled = useRef<string | null>(null)
  useEffect(() => {
    if (handled.current === key) return
    handled.current = key
    if (!arrived || pages <= 1) return
    const { queryKey, staleTime } = threadListQuery(category, view)
    queryClient.setQueryData(
      queryKey,
      (data) =>
        data === undefined ? data : { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) },
      { updatedAt: queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0 },
    )
    const age = Date.now() - (queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0)
    if (typeof staleTime === 'number' && age > staleTime) void queryClient.refetchQueries({ queryKey, exact: true })
  }, [key, arrived, pages, category, view, queryClient])
}
