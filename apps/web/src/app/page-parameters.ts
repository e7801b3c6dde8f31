/** What of an address's query pages on the server depend on. For the server alone: browsers need not carry it. */
import { matchPath } from 'react-router'
import { RANGE_PARAMETERS } from '../features/posts/post-address.ts'
import { LIST_PARAMETERS } from '../features/threads/list-address.ts'
import { patterns, paths } from './paths.ts'

const parameters: Readonly<Record<string, readonly string[]>> = {
  [paths.home]: LIST_PARAMETERS,
  [paths.ranking]: LIST_PARAMETERS,
  [patterns.category]: LIST_PARAMETERS,
  [patterns.thread]: RANGE_PARAMETERS,
  [patterns.create]: ['category'],
  [paths.moderationLog]: ['cursor'],
}

/** Names in the query of a path that its page depends on; all others make no other page of it. */
export const parametersOf = (path: string): readonly string[] =>
  Object.entries(parameters).find(([pattern]) => matchPath(pattern, path) !== null)?.[1] ?? []
