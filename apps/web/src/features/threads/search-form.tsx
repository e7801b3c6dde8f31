import { SEARCH } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { deferred } from '../../lib/deferred.tsx'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { useScripted } from '../../lib/use-scripted.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SelectInput, TextInput } from '../../ui/field.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { threadKeys } from './api.ts'
import { listQuery, readFilter, SORTS, type ListView, type SearchFilter } from './list-address.ts'
import { rememberOrder } from './remembered-order.ts'
import styles from './search-form.module.css'
import { SearchMatch } from './thread-row.tsx'

const SearchFilters = deferred(
  async () => (await import('./search-filters.tsx')).SearchFilters,
  'src/features/threads/search-filters.tsx',
)

/**
 * Counts graphemes only where the number of UTF-16 units does not decide: rarely, so the counter is
 * not part of the first page's scripts.
 */
async function isTooLong(search: string): Promise<boolean> {
  if (search.length <= SEARCH.max) return false
  const { findProblem } = await import('@shinobi/contract/text')
  return findProblem(search, SEARCH, 'line') !== null
}

/** The query of a view without a cursor. */
const viewOf = (view: Omit<ListView, 'cursor'>): string => listQuery({ ...view, cursor: null })

/**
 * Search and order of a list. It is a plain GET form that works without scripts; with them a change
 * of the order applies at once and the page is not reloaded. The fields are uncontrolled, so that
 * no script changes text during an IME conversion. On a phone the field is as small as its icon,
 * and the style sheet widens it while it has the focus or text.
 */
export function SearchForm({ view }: { view: ListView }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const id = useId()
  const scripted = useScripted()
  const words = useRef<HTMLInputElement>(null)
  const order = useRef<HTMLSelectElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const enter = useImeSafeEnter({})

  /**
   * Views requested by this form that the address does not show yet, the oldest first; initially
   * the one it was rendered with.
   */
  const asked = useRef([viewOf(view)])

  // Back and links change the address, and the fields follow it. A view that the form itself
  // requested does not change them, so that text typed while the answer was loading is kept.
  const shown = viewOf(view)
  useEffect(() => {
    const place = asked.current.indexOf(shown)
    if (place === -1) {
      asked.current = []
      if (words.current !== null) words.current.value = view.search
      if (order.current !== null) order.current.value = view.sort
    } else asked.current.splice(0, place + 1)
    setProblem(null)
  }, [shown, view.search, view.sort])

  const show = (next: { search: string; sort: string; filter?: SearchFilter | undefined; path?: string }) => {
    const sort = SORTS.find(({ value }) => value === next.sort)?.value ?? 'newest'
    const path = next.path ?? pathname
    const query = viewOf({ search: next.search, sort, ...(next.filter !== undefined && { filter: next.filter }) })
    const again = query === listQuery(view) && path === pathname
    // A repeated search asks for a new answer, and so does one that is already cached.
    if (again) void queryClient.resetQueries({ queryKey: threadKeys.lists, type: 'active' })
    else if (query !== viewOf(view)) asked.current.push(query)
    queryClient.removeQueries({ queryKey: threadKeys.lists, type: 'inactive' })
    void navigate(path + query, { replace: again })
  }

  const choose = () => {
    rememberOrder(order.current?.value ?? view.sort)
    void submit()
  }

  /** @param path of the list to search in, when it is another one */
  const submit = async (event?: FormEvent, path?: string) => {
    event?.preventDefault()
    const fields = new FormData(form.current!)
    const filter = readFilter({ get: (name) => fields.get(name) as string | null })
    const search = words.current?.value.trim() ?? ''
    if (await isTooLong(search)) return setProblem(messages.search_too_long)
    setProblem(null)
    if (search !== '') void SearchMatch.preload()
    show({ search, sort: order.current?.value ?? view.sort, filter, ...(path !== undefined && { path }) })
  }

  const clear = (event: FormEvent) => {
    event.preventDefault()
    if (words.current !== null) words.current.value = ''
    setProblem(null)
    show({ search: '', sort: order.current?.value ?? view.sort })
    words.current?.focus()
  }

  return (
    <>
      <form
        ref={form}
        role="search"
        method="get"
        action={pathname}
        className={styles['form']}
        onSubmit={(event) => void submit(event)}
      >
        <div className={styles['words']}>
          <label htmlFor={`${id}words`} className="visually-hidden">
            スレッドを検索
          </label>
          <div className={styles['box']}>
            <TextInput
              id={`${id}words`}
              ref={words}
              type="search"
              data-key="/"
              name="search"
              defaultValue={view.search}
              placeholder="スレッドを検索"
              autoComplete="off"
              enterKeyHint="search"
              aria-invalid={problem !== null || undefined}
              aria-describedby={problem === null ? undefined : `${id}problem`}
              className={styles['input']}
              {...enter}
            />
            <IconButton type="submit" label="検索" className={styles['go']}>
              <SearchIcon />
            </IconButton>
            <SearchIcon className={styles['glass']} />
          </div>
        </div>
        <div className={styles['order']}>
          <label htmlFor={`${id}order`} className="visually-hidden">
            並び順
          </label>
          <SelectInput id={`${id}order`} ref={order} name="sort" defaultValue={view.sort} onChange={choose}>
            {/* Without scripts nobody knows what was read. */}
            {SORTS.filter(({ value }) => scripted || value !== 'unread' || view.sort === value).map(
              ({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ),
            )}
          </SelectInput>
        </div>
        <Button type="submit" form={`${id}clear`} className={styles['clear']}>
          クリア
        </Button>
        <p id={`${id}problem`} className={styles['problem']} aria-live="polite">
          {problem}
        </p>
        {view.search !== '' && (
          <div className={styles['filters']}>
            <SearchFilters view={view} onChange={(path) => void submit(undefined, path)} />
          </div>
        )}
      </form>
      <form id={`${id}clear`} method="get" action={pathname} hidden onSubmit={clear}>
        {view.sort !== 'newest' && <input type="hidden" name="sort" value={view.sort} />}
      </form>
    </>
  )
}
