import { inFigures } from '@shinobi/contract/in-figures'
import { FIND_HITS_MAX, SEARCH } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { FoundPost } from '@shinobi/contract/posts'
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type FormEvent,
  type MouseEvent,
  type RefObject,
} from 'react'
import { useNavigate } from 'react-router'
import { ApiError } from '../../lib/api-client.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { isImeKey } from '../../lib/ime-key.ts'
import { IconButton } from '../../ui/button.tsx'
import { Excerpt } from '../../ui/excerpt.tsx'
import { TextInput } from '../../ui/field.tsx'
import { ChevronIcon, CloseIcon, SearchIcon } from '../../ui/icons.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { HiddenExcerpt } from '../hiding/hidden-excerpt.tsx'
import { toHideableExcerpt, useHiddenPosts } from '../hiding/use-match.ts'
import { findPostsQuery } from './api.ts'
import { focusFindButton } from './find-button.tsx'
import styles from './find-in-thread.module.css'
import { toHideable } from './hideable.ts'
import { postPath } from './post-address.ts'
import { useThreadActions } from './thread-context.ts'

/** Posts that are scrolled to stop below the bar. */
function useRoomAbove(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => {
      style.scrollPaddingTop = `${bar.current?.getBoundingClientRect().bottom ?? 0}px`
    })
    observer.observe(bar.current!)
    return () => {
      observer.disconnect()
      style.scrollPaddingTop = ''
    }
  }, [bar])
}

/** Escape in any of its controls closes it, unless it ends a conversion. */
function useEscape(strip: RefObject<HTMLElement | null>, close: () => void): void {
  const latest = useRef(close)
  useLayoutEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    const element = strip.current!
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !isImeKey(event)) latest.current()
    }
    element.addEventListener('keydown', onKeyDown)
    return () => element.removeEventListener('keydown', onKeyDown)
  }, [strip])
}

interface FindInThreadProps {
  /** Number of the thread's changes other than new posts. */
  changes: number
  onClose: () => void
}

/**
 * スレ内を検索: the server searches all posts of the thread, also those that are not loaded. A bar at the
 * top of the window, with the found posts below until one of them is chosen.
 */
export function FindInThread({ changes, onClose }: FindInThreadProps) {
  const { threadId, findPost } = useThreadActions()
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const down = useRef<HTMLButtonElement>(null)
  const id = useId()
  const [search, setSearch] = useState('')
  const [place, setPlace] = useState(-1)
  const [isListOpen, setListOpen] = useState(true)
  const query = useInfiniteQuery({ ...findPostsQuery(threadId, search, changes), enabled: search !== '' })
  const found = query.data?.pages.flatMap((page) => page.found) ?? []
  const hits = query.data?.pages[0]?.hits ?? 0
  const describe = useCallback(
    (hit: FoundPost) => {
      const post = findPost(hit.number)
      return post === undefined ? toHideableExcerpt(hit) : toHideable(post)
    },
    [findPost],
  )
  const hidden = useHiddenPosts(threadId, found, describe)
  /** Back leads to where the reader was before the first hit, not through all of them. */
  const hasLeft = useRef(false)

  useEffect(() => field.current?.focus(), [])
  const bar = useRef<HTMLFormElement>(null)
  useRoomAbove(bar)

  const close = () => {
    onClose()
    focusFindButton()
  }

  const go = (index: number, number: number) => {
    setPlace(index)
    setListOpen(false)
    const { pathname, search: parameters } = location
    const to = findPost(number) === undefined ? postPath(threadId, number) : `${pathname}${parameters}#${number}`
    void navigate(to, { replace: hasLeft.current })
    hasLeft.current = true
  }

  const walk = async (step: 1 | -1) => {
    if (found.length === 0) return
    let all = found
    const wanted = place + step
    if (wanted >= all.length && query.hasNextPage) {
      const more = await query.fetchNextPage()
      all = more.data?.pages.flatMap((page) => page.found) ?? all
    }
    const index = wanted >= all.length ? 0 : wanted < 0 ? all.length - 1 : wanted
    go(index, all[index]!.number)
  }

  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    const words = field.current?.value.trim() ?? ''
    if (words === search && found.length > 0) return void walk(1)
    setPlace(-1)
    setListOpen(true)
    // The same words again ask for a new answer.
    if (words === search && words !== '') void query.refetch()
    setSearch(words)
  }
  const enter = useImeSafeEnter({ onEnter: submit })

  const strip = useRef<HTMLElement>(null)
  useEscape(strip, close)

  const choose = (index: number, number: number) => (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(index, number)
    // The list closes, and its link with it.
    down.current?.focus({ preventScroll: true })
  }

  const total = `${inFigures(hits)}件${hits >= FIND_HITS_MAX ? '以上' : ''}`
  const isEmpty = query.isSuccess && found.length === 0
  return (
    <section ref={strip} className={styles['find']} aria-label="スレ内を検索" data-find="">
      <div className={styles['inner']}>
        <form ref={bar} role="search" className={styles['bar']} onSubmit={submit}>
          <div className={styles['box']}>
            <TextInput
              ref={field}
              type="search"
              data-key="/"
              aria-label="このスレッドの書き込みを検索"
              placeholder="スレ内を検索"
              maxLength={2 * SEARCH.max}
              autoComplete="off"
              enterKeyHint="search"
              className={styles['input']}
              onFocus={() => setListOpen(true)}
              {...enter}
            />
            <IconButton type="submit" label="検索" className={styles['go']}>
              <SearchIcon size={18} />
            </IconButton>
          </div>
          <p className={styles['count']} role="status">
            {query.isFetching ? (
              <>
                <Spinner size="sm" />
                <span className="visually-hidden">検索しています</span>
              </>
            ) : (
              query.data !== undefined && (
                <>
                  {place >= 0 && found.length > 0 && (
                    <>
                      {place + 1}
                      <span aria-hidden="true"> / </span>
                      <span className="visually-hidden">件目、全部で</span>
                    </>
                  )}
                  {total}
                </>
              )
            )}
          </p>
          <IconButton label="前の書き込み" disabled={found.length === 0} onClick={() => void walk(-1)}>
            <ChevronIcon direction="up" />
          </IconButton>
          <IconButton ref={down} label="次の書き込み" disabled={found.length === 0} onClick={() => void walk(1)}>
            <ChevronIcon direction="down" />
          </IconButton>
          <IconButton label="検索を閉じる" onClick={close}>
            <CloseIcon />
          </IconButton>
        </form>
        {query.isError && (
          <p role="alert" className={styles['problem']}>
            {query.error instanceof ApiError && query.error.fromServer ? query.error.message : messages.find_failed}
          </p>
        )}
        {isEmpty && !query.isFetching && (
          <p className={styles['none']}>
            このスレッドには見つかりませんでした。語を減らすか、ほかの言い方でもお試しください。
          </p>
        )}
        {isListOpen && found.length > 0 && (
          <div className={styles['results']}>
            <ol aria-labelledby={`${id}heading`}>
              {found.map(({ number, parts }, index) => {
                const hiding = hidden.get(number)
                return (
                  <li key={number} data-current={index === place || undefined}>
                    <a href={postPath(threadId, number)} onClick={choose(index, number)}>
                      <span className={styles['number']}>
                        <span aria-hidden="true">{number}</span>
                        <span className="visually-hidden">{number}番: </span>
                      </span>
                      <span className={styles['excerpt']}>
                        {hiding === undefined ? <Excerpt parts={parts} /> : <HiddenExcerpt hidden={hiding} />}
                      </span>
                    </a>
                  </li>
                )
              })}
            </ol>
            <h2 id={`${id}heading`} className="visually-hidden">
              見つかった書き込み
            </h2>
            {query.hasNextPage && (
              <button
                type="button"
                className={styles['more']}
                aria-busy={query.isFetchingNextPage || undefined}
                onClick={() => void query.fetchNextPage()}
              >
                続きを表示
              </button>
            )}
          </div>
        )}
      </div>
    </section>
  )
}
