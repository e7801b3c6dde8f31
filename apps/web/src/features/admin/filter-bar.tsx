import type { Category } from '@shinobi/contract/categories'
import { categoryLabel } from '@shinobi/contract/category-labels'
import { SEARCH, USERNAME } from '@shinobi/contract/limits'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { SelectInput, TextInput } from '../../ui/field.tsx'
import { ChevronIcon, SearchIcon } from '../../ui/icons.tsx'
import styles from './filter-bar.module.css'
import { useReload } from './api.ts'
import { readFilters, useFilters, type FilterName, type Filters } from './use-filters.ts'

interface Option {
  value: string
  label: string
}

const isSame = (one: Filters, other: Filters): boolean => JSON.stringify(one) === JSON.stringify(other)

interface FilterBarProps {
  /** The list below, which is read again when its own filters are sent once more. */
  list: 'users' | 'threads' | 'posts'
  /** Label of the search field `q`: the fields that it searches. */
  words: string
  /** Label of the period: the date to which it applies. */
  period: string
  /** Whether the list can be filtered by writer. */
  writer?: boolean
  /** The categories to choose from; undefined for a list without categories. */
  categories?: readonly Category[]
  states: readonly Option[]
}

/**
 * The filters above a list. The search field comes first; the others fold on small viewports. The
 * fields are uncontrolled, so that no script changes text during an IME conversion, and follow the
 * address.
 */
export function FilterBar({ list, words, period, writer = false, categories, states }: FilterBarProps) {
  const { filters, isFiltered } = useFilters()
  const [parameters, setParameters] = useSearchParams()
  const reload = useReload(list)
  const form = useRef<HTMLFormElement>(null)
  const enter = useImeSafeEnter({})
  const moreId = useId()
  const folded = Object.keys(filters).filter((name) => name !== 'q').length
  const [open, setOpen] = useState(folded > 0)

  // Only when the address changes: typed text stays during other renders.
  useEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement)
        field.value = filters[field.name as keyof typeof filters] ?? ''
    }
  }, [filters])

  return (
    <form
      ref={form}
      role="search"
      className={styles['bar']}
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget)
        const wanted = readFilters((name) => typed.get(name))
        setParameters({ ...wanted })
        // Whoever asks for the same page again wants to see what is new.
        if (isSame(wanted, filters) && !parameters.has('page')) void reload()
      }}
    >
      <div className={styles['first']}>
        <Labelled label={words} className={styles['words']}>
          {(id) => <TextInput id={id} {...enter} type="search" name="q" maxLength={SEARCH.max} autoComplete="off" />}
        </Labelled>
        <Button type="submit" icon={<SearchIcon size={18} />}>
          絞り込む
        </Button>
        <Button
          variant="ghost"
          className={styles['toggle']}
          aria-expanded={open}
          aria-controls={moreId}
          onClick={() => setOpen(!open)}
        >
          条件{folded > 0 && `（${folded}）`}
          <ChevronIcon size={16} direction={open ? 'up' : 'down'} />
        </Button>
        {isFiltered && (
          <ButtonLink to="?" variant="ghost">
            クリア
          </ButtonLink>
        )}
      </div>
      <div id={moreId} className={styles['more']} data-open={open}>
        {writer && (
          <Labelled label="書いた人">
            {(id) => <TextInput id={id} {...enter} name="writer" maxLength={USERNAME.maxBytes} autoComplete="off" />}
          </Labelled>
        )}
        {categories && (
          <Choice
            label="カテゴリ"
            name="category"
            chosen={filters.category}
            options={categories.map(({ name }) => ({ value: name, label: categoryLabel(name) }))}
          />
        )}
        <Choice label="状態" name="state" chosen={filters.state} options={states} />
        <fieldset className={styles['period']}>
          <legend className="visually-hidden">{period}</legend>
          <Labelled label={`${period}（から）`}>{(id) => <TextInput id={id} type="date" name="from" />}</Labelled>
          <Labelled label={`${period}（まで）`}>{(id) => <TextInput id={id} type="date" name="to" />}</Labelled>
        </fieldset>
      </div>
    </form>
  )
}

interface ChoiceProps {
  label: string
  name: FilterName
  chosen: string | undefined
  options: readonly Option[]
}

/** A selection that applies at once. */
function Choice({ label, name, chosen = '', options }: ChoiceProps) {
  return (
    <Labelled label={label}>
      {(id) => (
        <SelectInput
          // A value can be selected only once its option exists, so the select is recreated with
          // its options.
          key={options.length}
          id={id}
          name={name}
          defaultValue={chosen}
          onChange={(event) => event.currentTarget.form?.requestSubmit()}
        >
          <option value="">すべて</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </SelectInput>
      )}
    </Labelled>
  )
}

interface LabelledProps {
  label: string
  className?: string | undefined
  children: (id: string) => ReactNode
}

/** A label without the line that a form's field reserves for hint and error. */
function Labelled({ label, className, children }: LabelledProps) {
  const id = useId()
  return (
    <div className={cx(styles['field'], className)}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      {children(id)}
    </div>
  )
}
