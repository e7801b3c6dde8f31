import type { NewsStory } from '@shinobi/contract/news'
import { useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Loaded } from '../admin/screen.tsx'
import { decideStory, newsStoriesQuery } from './api.ts'
import { useKeys } from '../../lib/use-keys.ts'
import { useRequest } from '../../lib/use-request.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { KeyHint } from '../../ui/key-hint.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { sayApproved } from './next-run.ts'
import { StoryFacts, StoryView } from './story-view.tsx'
import type { TabProps } from './tab-props.ts'
import styles from './waiting-desk.module.css'

/** With fewer items behind the current one, the next part of the list is fetched. */
const REFILL_BELOW = 5
const UNFETCHED = '続きの記事を読み込めませんでした。'

/**
 * Stories that wait for approval, one at a time. A decision takes effect only when the server has
 * answered.
 */
export function WaitingDesk(props: TabProps) {
  const stories = useInfiniteQuery(newsStoriesQuery(props.userId, 'waiting'))
  return (
    <Loaded query={stories}>
      {({ pages }) => <Desk {...props} rows={pages.flatMap((page) => page.stories)} rest={stories} />}
    </Loaded>
  )
}

interface DeskProps extends TabProps {
  rows: readonly NewsStory[]
  /** The rest of the list, which is not loaded yet. */
  rest: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>
}

/**
 * The current story stays until it is decided here or left: a list that is reloaded meanwhile never
 * puts another story under a finger that is about to press.
 */
function useFront(rows: readonly NewsStory[]) {
  const [chosen, setChosen] = useState<{ story: NewsStory; at: number } | null>(null)
  const found = rows.findIndex(({ _id }) => _id === chosen?.story._id)
  const at = chosen === null ? 0 : found === -1 ? Math.min(chosen.at, rows.length) : found
  const front = chosen === null || found !== -1 ? rows[at] : chosen.story
  useEffect(() => {
    if (front !== undefined && front !== chosen?.story) setChosen({ story: front, at })
  }, [front, chosen, at])
  const isGone = chosen !== null && found === -1
  const show = (index: number) => {
    const story = rows[index]
    setChosen(story === undefined ? null : { story, at: index })
  }
  return {
    front,
    at,
    isGone,
    /**
     * The previous (-1) or the next one; stops at the ends. A story that no longer exists is
     * replaced by the next one.
     */
    step: (by: 1 | -1) => {
      if (rows[isGone && by === 1 ? at : at + by] !== undefined) show(isGone && by === 1 ? at : at + by)
      else if (isGone) show(Math.max(0, rows.length - 1))
    },
    /** It was decided here. */
    leave: () => show(rows[at + 1] === undefined ? at - 1 : at + 1),
  }
}

function Desk({ rows: listed, rest, status, results, onChanged }: DeskProps) {
  /**
   * Decisions that the server has stored; an earlier response of the list does not contain them.
   */
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set())
  const rows = listed.filter(({ _id }) => !decided.has(_id))
  const { front, at, isGone, step, leave } = useFront(rows)
  const request = useRequest()
  const [doing, setDoing] = useState<'approve' | 'reject' | null>(null)
  const view = useRef<HTMLElement>(null)
  const current = front?._id

  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = rest
  // After a failure, only the administrator retries.
  const refills = rows.length - at < REFILL_BELOW && hasNextPage && !isFetching && !isFetchNextPageError
  useEffect(() => {
    if (refills) void fetchNextPage()
  }, [refills, fetchNextPage])
  useEffect(() => {
    const elsewhere = document.activeElement?.closest('input, textarea, select, dialog, nav') != null
    if (current !== undefined && !elsewhere) view.current?.focus({ preventScroll: true })
    // The next story starts at its top, not at the scroll position of the one before.
    if ((view.current?.getBoundingClientRect().top ?? 0) < 0) view.current?.scrollIntoView({ block: 'start' })
  }, [current])

  const restore = async (id: string) => {
    await decideStory(id, 'restore')
    setDecided((before) => new Set([...before].filter((one) => one !== id)))
  }
  const decide = (action: 'approve' | 'reject') => () => {
    if (front === undefined || isGone || request.busy) return
    const { _id } = front
    setDoing(action)
    void request.send(async () => {
      try {
        await decideStory(_id, action)
        if (action === 'approve') results.say(sayApproved(status, front))
        else results.say('却下しました。', () => restore(_id))
        leave()
        setDecided((before) => new Set(before).add(_id))
      } finally {
        // Also when another administrator was first. The next story can be decided meanwhile.
        void onChanged()
      }
    })
  }
  const move = (by: 1 | -1) => () => {
    if (request.busy) return
    request.complain(null)
    step(by)
  }
  const approve = decide('approve')
  const reject = decide('reject')
  useKeys({ j: move(1), ArrowRight: move(1), k: move(-1), ArrowLeft: move(-1), a: approve, r: reject })

  if (front === undefined && hasNextPage)
    return (
      <div className={styles['fetching']}>
        {isFetchNextPageError && !isFetching ? (
          <ErrorBox message={UNFETCHED} onRetry={() => void fetchNextPage()} />
        ) : (
          <Spinner label="読み込んでいます" />
        )}
      </div>
    )
  if (front === undefined)
    return (
      <EmptyState title="承認を待つ記事はありません。">
        <p>設定の「掲載の前に承認する」を入れると、すべての記事がここを通ります。</p>
      </EmptyState>
    )
  const busy = request.busy ? doing : null
  return (
    <div className={styles['desk']}>
      <article ref={view} className={styles['item']} tabIndex={-1} aria-label={front.title}>
        <StoryFacts story={front} />
        <h2 className={styles['title']}>{front.title}</h2>
        {isGone && <Notice tone="info">ほかの管理者が対応したか、状態が変わりました。次へ進んでください。</Notice>}
        {request.problem !== null && <Notice tone="error">{request.problem}</Notice>}
        <StoryView story={front} />
      </article>
      <div className={styles['foot']}>
        {isFetchNextPageError && at + 1 >= rows.length && (
          <p className={styles['unfetched']} role="alert">
            {UNFETCHED}
            <Button size="sm" busy={isFetching} onClick={() => void fetchNextPage()}>
              もう一度試す
            </Button>
          </p>
        )}
        <div className={styles['decisions']} role="group" aria-label="対応">
          <Button variant="primary" disabled={isGone} busy={busy === 'approve'} onClick={approve}>
            承認 <KeyHint>A</KeyHint>
          </Button>
          <Button variant="danger" disabled={isGone} busy={busy === 'reject'} onClick={reject}>
            却下 <KeyHint>R</KeyHint>
          </Button>
        </div>
        <div className={styles['moves']}>
          <KeyHint>K</KeyHint>
          <IconButton label="前の記事" disabled={at <= 0 && !isGone} onClick={move(-1)}>
            <ChevronIcon direction="left" />
          </IconButton>
          <span className={styles['place']}>
            {isGone ? '–' : at + 1} / {rows.length}
            {hasNextPage && '+'}
          </span>
          <IconButton label="次の記事" disabled={at + 1 >= rows.length && !isGone} onClick={move(1)}>
            <ChevronIcon direction="right" />
          </IconButton>
          <KeyHint>J</KeyHint>
        </div>
      </div>
    </div>
  )
}
