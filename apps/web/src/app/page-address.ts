/**
 * The one address of each page, under which the server caches it. For the server alone: browsers do
 * not load this module.
 */
import { matchPath } from 'react-router'
import { readTabName } from '../features/notebook/rows.ts'
import { rangeQuery, readPostRange } from '../features/posts/post-address.ts'
import { listQuery, readListView } from '../features/threads/list-address.ts'
import { patterns, paths } from './paths.ts'
import { pagePatterns } from './router.tsx'

/** The part of a query that a page depends on, in one form for all queries of the same effect. */
type QueryReader = (query: URLSearchParams) => string

const ofList: QueryReader = (query) => listQuery(readListView(query))
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** A parameter that is free; an empty one is none. */
const withFree =
  (name: string): QueryReader =>
  (query) => {
    const value = query.get(name) ?? ''
    return value === '' ? '' : `?${new URLSearchParams({ [name]: value })}`
  }

function ofCreate(query: URLSearchParams): string {
  const [category, previous] = [query.get('category') ?? '', query.get('previous') ?? '']
  const kept = new URLSearchParams({
    ...(category !== '' && { category }),
    ...(UUID.test(previous) && { previous: previous.toLowerCase() }),
  })
  return kept.size === 0 ? '' : `?${kept}`
}

function ofNotebook(query: URLSearchParams): string {
  const tab = readTabName(query)
  return tab === 'favourites' ? '' : `?list=${tab}`
}

const readers: Readonly<Record<string, QueryReader>> = {
  [paths.home]: ofList,
  [paths.ranking]: ofList,
  [patterns.category]: ofList,
  [patterns.thread]: (query) => rangeQuery(readPostRange(query)),
  [paths.past()]: withFree('cursor'),
  [patterns.categoryPast]: withFree('cursor'),
  [patterns.create]: ofCreate,
  [paths.notebook()]: ofNotebook,
  [paths.moderationLog]: withFree('cursor'),
}

/**
 * The address of all that have no page: there is no end of them, and they look alike. Below
 * /thread/ the page speaks of a thread.
 */
const NO_PAGE = '/not-found'
const NO_THREAD = '/thread/-/-/-'

/** The address of the page at a path, in the case of its route, with the parameters that matter. */
export function addressOf(path: string, query: URLSearchParams): string {
  const pattern = pagePatterns.find((one) => matchPath(one, path) !== null)
  if (pattern === undefined) return path.startsWith(paths.thread('')) ? NO_THREAD : NO_PAGE
  const segments = path.split('/')
  const fixed = pattern.split('/').map((part, index) => (/^\w/.test(part) ? part : segments[index]))
  return [...fixed, ...segments.slice(fixed.length)].join('/') + (readers[pattern]?.(query) ?? '')
}
