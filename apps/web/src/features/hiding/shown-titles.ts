import { createMatch } from './matcher.ts'
import { hidingRules } from './rules.ts'

/** Whether no rule of now hides a thread by its title. */
export async function createTitleFilter(): Promise<(thread: { readonly title: string }) => boolean> {
  const now = Date.now()
  const rules = hidingRules().filter(({ kind, endsAt }) => kind === 'title' && (endsAt ?? Infinity) > now)
  const match = await createMatch(rules)
  return ({ title }) => match({ name: null, content: title, hosts: [], picture: null }) === null
}
