/** Query parameters that change a page. For the server alone: browsers do not load this module. */
import { matchPath } from 'react-router'
import { RANGE_PARAMETERS } from '../features/posts/post-address.ts'
import { LIST_PARAMETERS } from '../features/threads/list-address.ts'
import { patterns, paths } from './paths.ts'

const parameters: Readonly<Record<string, readonly string[]>> = {
  [paths.home]: LIST_PARAMETERS,
  [paths.ranking]: LIST_PARAMETERS,
  [patterns.category]: LIST_PARAMETERS,
  [patterns.thread]: RANGE_PARAMETERS,
  [paths.past()]: ['cursor'],
  [patterns.categoryPast]: ['cursor'],
  [patterns.create]: ['category', 'previous'],
  [paths.notebook()]: ['list'],
  [paths.moderationLog]: ['cursor'],
}

/** Query parameters that the page at a path depends on; all others do not change it. */
export const parametersOf = (path: string): readonly string[] =>
  Object.entries(parameters).find(([pattern]) => matchPath(pattern, path) !== null)?.[1] ?? []
