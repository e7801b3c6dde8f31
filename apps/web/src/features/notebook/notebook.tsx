import { inFigures } from '@shinobi/contract/in-figures'
import { NOTEBOOK_ROWS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useLayoutEffect, useMemo, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { buttonBeside } from '../../lib/button-beside.ts'
import { useKeys } from '../../lib/use-keys.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { ThreadRecord } from '../reading/store.ts'
import { forgetOwn, forgetThread, forgetVisit, removeFavourite } from './changes.ts'
import { NotebookRowView } from './notebook-row.tsx'
import { NotebookTools } from './notebook-tools.tsx'
import styles from './notebook.module.css'
import {
  isListed,
  keepOrder,
  LISTS,
  nextUnread,
  rowsOf,
  TABS,
  unreadIn,
  type ListName,
  type NotebookRow,
  type TabName,
} from './rows.ts'
import { usePositions } from './use-positions.ts'
import { rereadRecords, useRecords } from './use-records.ts'

/** A list of what this browser keeps; only in the browser, where the records are. */
export function Notebook({ list }: { list: ListName }) {
  const records = useRecords()
  if (records === 'failed') return <ErrorBox message={messages.notebook_failed} onRetry={rereadRecords} />
  if (records === 'loading') {
    return (
      <div className={styles['waiting']}>
        <Spinner label="帳面を開いています" />
      </div>
    )
  }
  // Each list keeps its order while it is shown.
  return <List key={list} list={list} records={records} />
}

const NO_POSITIONS = new Map<string, never>()

/** Links between the tabs, each with the number of its unread posts, or of alerts. */
export function Tabs({ tab, alerts }: { tab: TabName; alerts: number }) {
  const known = useRecords()
  const unread = useMemo(() => {
    const records = typeof known === 'string' ? [] : known
    return new Map<TabName, number>(LISTS.map(({ value }) => [value, unreadIn(rowsOf(records, NO_POSITIONS, value))]))
  }, [known])
  return (
    <nav aria-label="帳面の一覧" className={styles['tabs']}>
      <ul className={styles['tablist']}>
        {TABS.map(({ value, label }) => {
          const count = unread.get(value) ?? alerts
          return (
            <li key={value}>
              <Link
                to={paths.notebook(value === 'favourites' ? undefined : value)}
                replace
                preventScrollReset
                aria-current={value === tab ? 'page' : undefined}
                className={styles['tab']}
              >
                {label}
                <span className={styles['tabcount']}>
                  {count > 0 && (
                    <>
                      <span className="visually-hidden"> 未読</span>+{count > 999 ? '999' : count}
                    </>
                  )}
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const EMPTY: Readonly<Record<ListName, readonly [title: string, words: string]>> = {
  favourites: ['お気に入りはまだありません。', 'スレッドのタイトルの下にある星を押すと、ここに並びます。'],
  history: ['まだ履歴はありません。', '開いたスレッドが、ここに並びます。'],
  threads: ['自分で立てたスレッドはまだありません。', 'このブラウザで立てたスレッドが、ここに並びます。'],
  posts: ['まだ書き込んだスレッドはありません。', 'このブラウザで書き込んだスレッドが、ここに並びます。'],
}

const removers: Readonly<Record<ListName, (threadId: string) => Promise<void>>> = {
  favourites: removeFavourite,
  history: forgetVisit,
  threads: (threadId) => forgetOwn(threadId, 'threads'),
  posts: (threadId) => forgetOwn(threadId, 'posts'),
}

function List({ list, records }: { list: ListName; records: readonly ThreadRecord[] }) {
  const listed = useMemo(() => records.filter((record) => isListed(record, list)), [records, list])
  const { positions, isSettled, isStale } = usePositions(listed, true)
  const sorted = useMemo(() => rowsOf(listed, positions, list), [listed, positions, list])
  const rows = useSteadyOrder(sorted, isSettled)
  const [shown, setShown] = useState(NOTEBOOK_ROWS)
  const rowList = useRef<HTMLUListElement>(null)
  const { notice, show, clear } = useTimedNotice()
  useRowKeys(rowList)

  const remove = (row: NotebookRow, button: HTMLElement) => {
    const beside = buttonBeside(button)
    const change = row.isRemoved ? forgetThread : removers[list]
    change(row.threadId).then(
      () => beside?.focus({ preventScroll: true }),
      () => show(messages.notebook_not_changed),
    )
  }

  const next = useMemo(() => nextUnread(records, positions, null), [records, positions])
  return (
    <>
      <div className={styles['bar']}>
        {/* The line is always there: nothing moves when the network goes. */}
        <p className={`meta ${styles['state']}`} role="status">
          {isStale && rows.length > 0
            ? 'いまはサーバーに確かめられません。このブラウザの記録を表示しています。'
            : rows.length > 0 && `${inFigures(rows.length)}件`}
        </p>
        {next !== null && (
          <ButtonLink
            to={paths.thread(next.threadId)}
            variant="primary"
            size="sm"
            icon={<ChevronIcon size={16} direction="down" />}
          >
            次の未読へ
          </ButtonLink>
        )}
      </div>
      {rows.length === 0 ? (
        <EmptyState title={EMPTY[list][0]}>
          <p>{EMPTY[list][1]}</p>
          <Link to={paths.home}>スレッド一覧を見る</Link>
        </EmptyState>
      ) : (
        <ul ref={rowList} className={styles['list']} aria-label={LISTS.find(({ value }) => value === list)!.label}>
          {rows.slice(0, shown).map((row) => (
            <NotebookRowView key={row.threadId} row={row} list={list} onRemove={remove} />
          ))}
        </ul>
      )}
      {rows.length > shown && (
        <p className={styles['more']}>
          <Button onClick={() => setShown(shown + NOTEBOOK_ROWS)}>さらに表示</Button>
        </p>
      )}
      <NotebookTools records={records} />
      <NoticeRegion notice={notice} onClose={clear} />
    </>
  )
}

/**
 * Sorts once the first answer is there, and again when the visitor returns to the tab; in between
 * the rows keep their places, and only their numbers change.
 */
function useSteadyOrder(sorted: readonly NotebookRow[], isSettled: boolean): readonly NotebookRow[] {
  const [order, setOrder] = useState<readonly string[] | null>(null)
  if (order === null && isSettled) setOrder(sorted.map(({ threadId }) => threadId))
  useLayoutEffect(() => {
    const onVisibility = () => document.visibilityState === 'hidden' && setOrder(null)
    document.addEventListener('visibilitychange', onVisibility)
    return () => document.removeEventListener('visibilitychange', onVisibility)
  }, [])
  return useMemo(() => (order === null ? sorted : keepOrder(sorted, order)), [sorted, order])
}

/** j and k move through the rows; Enter opens the focused link, as everywhere. */
function useRowKeys(list: React.RefObject<HTMLUListElement | null>): void {
  const move = (step: 1 | -1) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    const here = links.findIndex((link) => link.closest('li')?.contains(document.activeElement) === true)
    const next = here === -1 ? links[step === 1 ? 0 : links.length - 1] : links[here + step]
    next?.focus({ focusVisible: true })
    next?.closest('li')?.scrollIntoView({ block: 'nearest' })
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
}
