import { createMatch } from './matcher.ts'
import { subscribeRules } from './rules-changed.ts'
import { hidingRules } from './rules.ts'

type TitleFilter = (thread: { readonly title: string }) => boolean

/** Whether no rule of now hides a thread by its title. */
export async function createTitleFilter(): Promise<TitleFilter> {
  const now = Date.now()
  const rules = hidingRules().filter(({ kind, endsAt }) => kind === 'title' && (endsAt ?? Infinity) > now)
  const match = await createMatch(rules)
  return ({ title }) => match({ name: null, id: null, content: title, hosts: [], picture: null }) === null
}

/** Shows the filter of the rules, and another one when they change, until the list is left. */
export function followTitles(show: (filter: TitleFilter) => void, list: AbortSignal): void {
  const follow = async () => {
    const rules = hidingRules()
    const filter = await createTitleFilter()
    if (!list.aborted && rules === hidingRules()) show(filter)
  }
  if (list.aborted) return
  list.addEventListener(
    'abort',
    subscribeRules(() => void follow()),
  )
  void follow()
}
