import { categoryLabel } from '@shinobi/contract/category-labels'
import { NICKNAME } from '@shinobi/contract/limits'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { paths } from '../../app/paths.ts'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Button } from '../../ui/button.tsx'
import { SelectInput, TextInput } from '../../ui/field.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import { categoriesQuery } from '../categories/api.ts'
import { listQuery, PERIODS, type ListView, type SearchFilter } from './list-address.ts'
import styles from './search-filters.module.css'

interface SearchFiltersProps {
  view: ListView
  /** A field changed. `path`: the list of another category was chosen. */
  onChange: (path?: string) => void
}

const describe = ({ within, name, image }: SearchFilter): string =>
  [
    PERIODS.find(({ value }) => value === within)?.label,
    name === '' ? undefined : `名前「${name}」`,
    image ? '画像あり' : undefined,
  ]
    .filter((part) => part !== undefined)
    .join('・')

/**
 * The filter of a search, closed until it is asked for; a part of the search form. Without scripts
 * it is open. Its fields are uncontrolled, as those of the form are, and follow the address.
 */
export function SearchFilters({ view, onChange }: SearchFiltersProps) {
  const { pathname } = useLocation()
  const category = useParams()['categoryId'] ?? ''
  const { data: categories = [] } = useQuery(categoriesQuery())
  const { filter } = view
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const enter = useImeSafeEnter({})
  const opener = useRef<HTMLButtonElement>(null)
  const fields = useRef<HTMLDivElement>(null)
  const { within = null, name = '', image = false } = filter ?? {}
  useEffect(() => {
    const field = <T extends Element>(selector: string): T => fields.current!.querySelector<T>(selector)!
    field<HTMLSelectElement>('[name=within]').value = within ?? ''
    field<HTMLInputElement>('[name=name]').value = name
    field<HTMLInputElement>('[name=image]').checked = image
  }, [within, name, image])
  return (
    <>
      <div className={styles['line']}>
        <button
          ref={opener}
          type="button"
          className={styles['opener']}
          aria-expanded={isOpen}
          aria-controls={`${id}fields`}
          onClick={() => setOpen(!isOpen)}
        >
          絞り込み
          <ChevronIcon size={14} direction={isOpen ? 'up' : 'down'} />
        </button>
        {filter !== undefined && (
          <p className={styles['active']}>
            <span>{describe(filter)}</span>
            <Link
              to={pathname + listQuery({ search: view.search, sort: view.sort, cursor: null })}
              // The link is gone afterwards.
              onClick={() => opener.current?.focus()}
            >
              解除
            </Link>
          </p>
        )}
      </div>
      {/* Stays mounted while it is closed: its fields belong to the form. */}
      <div ref={fields} id={`${id}fields`} className={styles['fields']} hidden={!isOpen}>
        <label className={`${styles['field']} ${styles['scripted']}`}>
          <span>カテゴリ</span>
          <SelectInput
            defaultValue={category}
            onChange={({ currentTarget: { value } }) => onChange(value === '' ? paths.home : paths.category(value))}
          >
            <option value="">すべて</option>
            {categories.map(({ _id, name }) => (
              <option key={_id} value={_id === category ? _id : name}>
                {categoryLabel(name)}
              </option>
            ))}
          </SelectInput>
        </label>
        <label className={styles['field']}>
          <span>期間</span>
          <SelectInput name="within" defaultValue={within ?? ''} onChange={() => onChange()}>
            <option value="">すべて</option>
            {PERIODS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </SelectInput>
        </label>
        <label htmlFor={`${id}name`} className={styles['field']}>
          <span>書いた人の名前</span>
          <TextInput
            id={`${id}name`}
            name="name"
            defaultValue={name}
            maxLength={NICKNAME.max}
            autoComplete="off"
            enterKeyHint="search"
            {...enter}
          />
        </label>
        <label className={styles['check']}>
          <input type="checkbox" name="image" value="1" defaultChecked={image} onChange={() => onChange()} />
          画像あり
        </label>
        <Button type="submit" size="sm">
          絞り込む
        </Button>
      </div>
    </>
  )
}
