import { PAGE_SIZE } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { ThreadItem } from '@shinobi/contract/threads'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, type ComponentType, type MouseEvent } from 'react'
import { Link, useLocation, useNavigation, useNavigationType } from 'react-router'
import { deferred } from '../../lib/deferred.tsx'
import { useKeptPosition } from '../../lib/use-kept-position.ts'
import { Button } from '../../ui/button.tsx'
import { RetryIcon } from '../../ui/icons.tsx'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { listedThreads, threadListQuery } from './api.ts'
import { cursorOf, listQuery, type ListView } from './list-address.ts'
import { HideAiSwitch } from './hide-ai-switch.tsx'
import type { ThreadArrival } from './arrival-notice.tsx'
import { ThreadRow } from './thread-row.tsx'
import styles from './thread-list.module.css'

const EmptyList = deferred(
  async () => (await import('./empty-list.tsx')).EmptyList,
  'src/features/threads/empty-list.tsx',
)
const Ninja = deferred(async () => (await import('../../ui/motifs/ninja.tsx')).Ninja)

const ArrivalNotice = deferred(async () => (await import('./arrival-notice.tsx')).ArrivalNotice)

export interface ThreadListProps {
  /** Id or name as in the address; null for the whole board. */
  category: string | null
  view: ListView
  /** The likes of a row; given by the page. */
  Like: ComponentType<{ of: ThreadItem }>
}

/** Rows that go on while scrolling. Every further page is a link as well, so that all of them are reachable without scripts. */
export function ThreadList({ category, view, Like }: ThreadListProps) {
  const { pathname } = useLocation()
  const searching = useNavigation().location?.pathname === pathname
  const query = useInfiniteQuery(threadListQuery(category, view))
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query
  const client = useQueryClient()
  const threads = useMemo(() => listedThreads(data, client), [data, client])
  const notice = useFailureNotice(category, data === undefined ? query.error : null)
  const end = useRef<HTMLAnchorElement>(null)
  const arrival = useArrival()

  useStartOver(category, view, data?.pages.length ?? 0)
  useKeptPosition({
    count: threads.length,
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
      <HideAiSwitch wanted={data?.pages[0]?.items.some(({ aiGenerated }) => aiGenerated) === true} />
      {threads.length > 0 && (
        <ul className={styles['list']}>
          {threads.map((thread) => (
            <ThreadRow key={thread._id} thread={thread} Like={Like} isNew={thread._id === arrival?.made} />
          ))}
        </ul>
      )}
      <p className={styles['hidden']}>
        ここにあるのはAI要約のスレッドだけです。上の「AI要約を隠す」を切ると、また並びます。
      </p>
      {data !== undefined && threads.length === 0 && <EmptyList view={view} inCategory={category !== null} />}
      {data === undefined && query.isError && (
        <div className={styles['retry']}>
          <Ninja pose="offline" className={styles['figure']} />
          {/* A notice goes after three seconds, and a category has none: this line stays and says why the page is empty. */}
          <p>スレッドを読み込めませんでした。</p>
          <Button icon={<RetryIcon size={18} />} busy={query.isFetching} onClick={() => void query.refetch()}>
            もう一度読み込む
          </Button>
        </div>
      )}
      {cursor !== null && (
        <p className={styles['more']}>
          {isFetchingNextPage ? (
            <Spinner label="続きを読み込んでいます" />
          ) : (
            <>
              {isFetchNextPageError && <span role="alert">続きを読み込めませんでした。</span>}
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

/** What the form for a new thread hands over; nothing after Back or a reload, when it is old news. */
function useArrival(): ThreadArrival | null {
  const { state } = useLocation() as { state: Partial<ThreadArrival> | null }
  const arrived = useNavigationType() !== 'POP'
  return arrived && state?.made !== undefined ? { made: state.made } : null
}

/** The board's list says that it failed; a category's list logs it (docs/product.md#thread-lists). */
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

/** Who comes by a link rather than by Back, or to a row, sees the first page, and a fresh one, however far the list was read before. */
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
