import { SEARCH } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SelectInput, TextInput } from '../../ui/field.tsx'
import { SearchIcon } from '../../ui/icons.tsx'
import { threadKeys } from './api.ts'
import { listQuery, SORTS, type ListView } from './list-address.ts'
import styles from './search-form.module.css'

/** Graphemes need their counter only where UTF-16 units leave a doubt: almost never, so it is no part of the first page's scripts. */
async function isTooLong(search: string): Promise<boolean> {
  if (search.length <= SEARCH.max) return false
  const { findProblem } = await import('@shinobi/contract/text')
  return findProblem(search, SEARCH, 'line') !== null
}

/** The query of a view from its beginning. */
const viewOf = (view: Omit<ListView, 'cursor'>): string => listQuery({ ...view, cursor: null })

/**
 * Search and order of a list. It is a plain GET form that works without scripts; with them a change of the order counts at once
 * and the page is not loaded anew. The fields are uncontrolled, so that nothing writes into text under conversion.
 */
export function SearchForm({ view }: { view: ListView }) {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const id = useId()
  const words = useRef<HTMLInputElement>(null)
  const order = useRef<HTMLSelectElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const enter = useImeSafeEnter({})

  /** Views this form asked for which the address does not show yet, the oldest first; at the beginning the one it was drawn with. */
  const asked = useRef([viewOf(view)])

  // Back and links change the address: the fields follow it. What they asked for themselves is in them already, and whoever typed on
  // while the answer was under way keeps the words.
  useEffect(() => {
    const place = asked.current.indexOf(viewOf({ search: view.search, sort: view.sort }))
    if (place === -1) {
      asked.current = []
      if (words.current !== null) words.current.value = view.search
      if (order.current !== null) order.current.value = view.sort
    } else asked.current.splice(0, place + 1)
    setProblem(null)
  }, [view.search, view.sort])

  const show = (next: { search: string; sort: string }) => {
    const sort = SORTS.find(({ value }) => value === next.sort)?.value ?? 'newest'
    const query = viewOf({ search: next.search, sort })
    const again = query === listQuery(view)
    // Who asks wants a new answer: to the same question once more, or to one that was answered before.
    if (again) void queryClient.resetQueries({ queryKey: threadKeys.lists, type: 'active' })
    else if (query !== viewOf(view)) asked.current.push(query)
    queryClient.removeQueries({ queryKey: threadKeys.lists, type: 'inactive' })
    void navigate(pathname + query, { replace: again })
  }

  const submit = async (event?: FormEvent) => {
    event?.preventDefault()
    const search = words.current?.value.trim() ?? ''
    if (await isTooLong(search)) return setProblem(messages.search_too_long)
    setProblem(null)
    show({ search, sort: order.current?.value ?? view.sort })
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
        role="search"
        method="get"
        action={pathname}
        className={styles['form']}
        onSubmit={(event) => void submit(event)}
      >
        <div className={styles['words']}>
          <label htmlFor={`${id}words`} className={styles['label']}>
            スレッドを検索
          </label>
          <div className={styles['box']}>
            <TextInput
              id={`${id}words`}
              ref={words}
              type="search"
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
          </div>
        </div>
        <div className={styles['order']}>
          <label htmlFor={`${id}order`} className={styles['label']}>
            並び順
          </label>
          <SelectInput
            id={`${id}order`}
            ref={order}
            name="sort"
            defaultValue={view.sort}
            onChange={() => void submit()}
          >
            {SORTS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectInput>
        </div>
        <Button type="submit" form={`${id}clear`} className={styles['clear']}>
          クリア
        </Button>
        <p id={`${id}problem`} className={styles['problem']} aria-live="polite">
          {problem}
        </p>
      </form>
      <form id={`${id}clear`} method="get" action={pathname} onSubmit={clear}>
        {view.sort !== 'newest' && <input type="hidden" name="sort" value={view.sort} />}
      </form>
    </>
  )
}
