/** The actions of calls, for tests that iterate over the routes. */
import * as accounts from '@shinobi/contract/accounts'
import * as admin from '@shinobi/contract/admin'
import * as bans from '@shinobi/contract/bans'
import type { Call } from '@shinobi/contract/common'
import * as hiding from '@shinobi/contract/hiding'
import * as likes from '@shinobi/contract/likes'
import * as moderation from '@shinobi/contract/moderation'
import * as news from '@shinobi/contract/news'
import * as notebook from '@shinobi/contract/notebook'
import type { Action } from '@shinobi/contract/permissions'
import * as scroll from '@shinobi/contract/scroll'
import * as settings from '@shinobi/contract/settings'
import * as shields from '@shinobi/contract/shields'
import * as words from '@shinobi/contract/words'

const isCall = (value: unknown): value is Call =>
  typeof value === 'object' && value !== null && 'method' in value && 'url' in value && 'schema' in value

/**
 * Keyed by method and address: `POST /api/admin/bans`. Contains no calls that are open to
 * everybody.
 */
export const ACTIONS: ReadonlyMap<string, Action> = new Map(
  [accounts, admin, bans, hiding, likes, moderation, news, notebook, scroll, settings, shields, words]
    .flatMap((module) => Object.values<unknown>(module))
    .filter(isCall)
    .flatMap(({ method, url, config }) => (config === undefined ? [] : [[`${method} ${url}`, config.action] as const])),
)
