/** Bans, and lifting them. bans.service.ts checks them. */
import type { Transaction } from 'kysely'
import type { Ban, BanInput, BanKind, BanPreview, BanTarget } from '@shinobi/contract/bans'
import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import { may, mayActOn, type Actor } from '@shinobi/contract/permissions'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { isUuidv7, uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import type { BansDeps } from './bans.deps.ts'
import {
  countActors,
  forgetBannedName,
  insertBans,
  isAnyAimedAt,
  markLifted,
  selectBansAgainst,
  selectBansById,
  selectMemberTarget,
  selectNetworks,
  selectThreadCategory,
  selectWriterTarget,
  type BanRow,
  type NewBan,
  type TargetRow,
} from './bans.queries.ts'
import type { Place } from './bans.service.ts'
import { toBan, toMemberLabel, toVisitorLabel } from './bans.view.ts'

type BanningDeps = Pick<Core, 'secret' | 'revisions'>
type IpLoggingDeps = Pick<BansDeps, 'bans' | 'ipLogging'>

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const KINDS: readonly BanKind[] = ['user', 'visitor', 'network']
const lookBack = (at: Date): Date => new Date(at.getTime() - LOOK_BACK_DAYS * DAY_MS)

export interface MadeBans {
  readonly bans: readonly BanRow[]
  /** The entry in the log. */
  readonly actionId: string
}

/**
 * Bans in a transaction: one ban for each requested kind, and one entry in the log for all of them,
 * with their ids so that `liftBansIn` can undo it.
 *
 * A moderator of some categories can ban a member of the same or a higher rank: the ban is created,
 * listed and logged like any other, but has no effect. A refusal would reveal who is a moderator or
 * administrator. The log, which administrators read, notes that it has no effect.
 * @param networks subjects of known networks besides those of the target's last days, see
 * findLoggedNetworks()
 * @throws ApiError not_found; forbidden (out of the moderator's scope; oneself, and a target of the
 * same or a higher rank); bad_request when the target has no account, browser or network to ban
 */
export async function createBansIn(
  tx: Transaction<Tables>,
  { secret, revisions }: BanningDeps,
  moderator: Moderator,
  input: BanInput,
  at: Date,
  networks: readonly string[],
): Promise<MadeBans> {
  const target = await findTarget(tx, moderator, input.target)
  if (isKnownToOutrank(moderator, target)) throw refuse('forbidden', 'ban_rank')
  const isHollow = !mayActOn(moderator, target.rank)
  const place = await findPlace(tx, moderator, target, input)
  const { reason, note, hours, scope } = input
  const shared = {
    scope,
    scopeId: scope === 'site' ? null : scope === 'category' ? place.categoryId : place.threadId,
    reason,
    note,
    createdBy: moderator.id,
    createdAt: at,
    expiresAt: hours === null ? null : new Date(at.getTime() + hours * HOUR_MS),
  }
  const bans: NewBan[] = []
  for (const kind of KINDS.filter((one) => input.on.includes(one))) {
    const subjects = await findSubjects(tx, target, kind, at)
    if (kind === 'network') subjects.push(...networks)
    if (subjects.length === 0) throw refuse('bad_request', 'ban_impossible')
    bans.push({
      ...shared,
      id: uuidv7(at.getTime()),
      kind,
      subjects: isHollow ? [] : subjects,
      userId: target.userId,
      label: toLabel(secret, target, kind),
    })
  }
  await insertBans(tx, bans)
  await revisions.raise(tx, 'bans')
  const ids = bans.map(({ id }) => id)
  const actionId = await insertAudit(tx, {
    actor: moderator,
    at,
    action: 'ban',
    ...place,
    subject: bans.map(({ label }) => label).join('、'),
    reason,
    details: {
      banIds: ids,
      after: { on: input.on, scope, hours, note },
      target: input.target,
      ...(isHollow ? { outranked: true } : {}),
    },
    isPublic: true,
  })
  return { bans: await selectBansById(tx, ids), actionId }
}

/**
 * Lifts bans in a transaction; those that have ended stay unchanged. Writes no log entry, and does
 * not check the scope.
 * @throws ApiError forbidden: a banned moderator cannot lift their own ban; an administrator can
 */
export async function liftBansIn(
  tx: Transaction<Tables>,
  { revisions }: Pick<BanningDeps, 'revisions'>,
  moderator: Actor & Pick<Moderator, 'id'>,
  ids: readonly string[],
  at: Date,
): Promise<string[]> {
  if (!may(moderator, 'liftOwnBan') && (await isAnyAimedAt(tx, ids, moderator.id))) throw refuse('forbidden', 'ban_own')
  const lifted = await markLifted(tx, ids, at)
  if (lifted.length > 0) await revisions.raise(tx, 'bans')
  return lifted
}

/** @throws as createBansIn */
export async function createBans(
  deps: BanningDeps & IpLoggingDeps & Pick<Core, 'db' | 'now'>,
  moderator: Moderator,
  input: BanInput,
): Promise<Ban[]> {
  const at = new Date(deps.now())
  const networks = await findLoggedNetworks(deps, moderator, input.target)
  return inTransaction(deps.db, async (tx) => {
    const { bans } = await createBansIn(tx, deps, moderator, input, at, networks)
    return bans.map((ban) => toBan(ban, moderator))
  })
}

/**
 * Lifts a ban, and logs it; one that has ended stays unchanged. @throws ApiError not_found,
 * forbidden
 */
export async function liftBan(
  deps: Pick<Core, 'db' | 'now' | 'revisions'>,
  moderator: Moderator,
  banId: string,
): Promise<void> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const [ban] = await selectBansById(tx, [banId])
    if (ban === undefined) throw refuse('not_found', 'ban_not_found')
    requireBanPermission(moderator, ban.categoryId)
    if ((await liftBansIn(tx, deps, moderator, [banId], at)).length === 0) return
    await insertAudit(tx, {
      actor: moderator,
      at,
      action: 'ban_lift',
      categoryId: ban.categoryId,
      threadId: ban.scope === 'thread' ? ban.scopeId : null,
      subject: ban.label,
      details: {
        banIds: [banId],
        before: { kind: ban.kind, scope: ban.scope, expiresAt: ban.expiresAt, reason: ban.reason },
      },
      isPublic: true,
    })
  })
}

/**
 * The kinds of ban that are possible for a target, how many recent writers each would hit, and the
 * bans of the target in force: one that is lifted leaves the others. For networks the number is a
 * lower bound, unless a temporary log contains the address: a writer of the same network on other
 * days than the target is stored only under other hashes.
 * @throws ApiError not_found, forbidden
 */
export async function previewBan(
  deps: IpLoggingDeps & Pick<Core, 'db' | 'now'>,
  moderator: Moderator,
  target: BanTarget,
): Promise<BanPreview> {
  const { db, bans, now } = deps
  const at = new Date(now())
  const found = await findTarget(db, moderator, target)
  const isProtected = isKnownToOutrank(moderator, found)
  const address = await findLoggedAddress(deps, moderator, target)
  const kinds = await Promise.all(
    KINDS.map(async (kind) => {
      const subjects = await findSubjects(db, found, kind, at)
      if (kind === 'network' && address !== null) subjects.push(...bans.recentNetworks(address))
      const posters = kind === 'network' ? await countActors(db, subjects, lookBack(at)) : subjects.length
      return { kind, possible: subjects.length > 0 && !isProtected, posters }
    }),
  )
  const standing = await selectBansAgainst(db, found, moderator.scope, at)
  return { kinds, standing: standing.map((ban) => toBan(ban, moderator)) }
}

/**
 * The network that a post came from, as a subject of bans, while its thread is logged; else none.
 */
export async function findLoggedNetworks(
  deps: IpLoggingDeps,
  moderator: Moderator,
  target: BanTarget,
): Promise<string[]> {
  const address = await findLoggedAddress(deps, moderator, target)
  return address === null ? [] : [deps.bans.networkSubject(address)]
}

/**
 * The address that a post came from, while its thread is logged: only for administrators, and never
 * shown here.
 */
async function findLoggedAddress(
  { ipLogging }: IpLoggingDeps,
  moderator: Moderator,
  target: BanTarget,
): Promise<string | null> {
  if (!may(moderator, 'orderIpLogging') || !('postId' in target)) return null
  return ipLogging.findAddress(target.threadId, target.postId)
}

/**
 * Whether the target is the moderator, or has the same or a higher rank and the moderator may know
 * that.
 */
const isKnownToOutrank = (moderator: Moderator, { userId, rank }: TargetRow): boolean =>
  userId === moderator.id || (may(moderator, 'seeStaff') && !mayActOn(moderator, rank))

async function findTarget(db: Db, moderator: Moderator, target: BanTarget): Promise<TargetRow> {
  if ('userId' in target) {
    // A member belongs to no category: a moderator of some categories must name one of the member's
    // posts there.
    requireBanPermission(moderator, null)
    const member = await selectMemberTarget(db, target.userId)
    if (member === undefined) throw refuse('not_found', 'user_not_found')
    return member
  }
  const writer = await selectWriterTarget(db, target.threadId, target.postId)
  if (writer === undefined) throw refuse('not_found', 'post_not_found')
  requireBanPermission(moderator, writer.categoryId)
  return writer
}

/** @param categoryId null for a ban from the whole board, or from a deleted thread */
const requireBanPermission = (moderator: Moderator, categoryId: string | null): void =>
  requirePermission(moderator, categoryId === null ? 'banFromBoard' : 'ban', categoryId)

/**
 * Where the ban applies: the place in the input, or else that of the post. Both null for the whole
 * board.
 */
async function findPlace(
  tx: Db,
  moderator: Moderator,
  target: TargetRow,
  { scope, scopeId = null }: BanInput,
): Promise<Place> {
  if (scope === 'site') {
    requireBanPermission(moderator, null)
    return { categoryId: null, threadId: null }
  }
  if (scope === 'category') {
    const wanted = scopeId ?? target.categoryId
    const category = wanted === null ? undefined : await selectCategory(tx, wanted)
    if (category === undefined) throw refuse('not_found', 'category_not_found')
    requireBanPermission(moderator, category.id)
    return { categoryId: category.id, threadId: null }
  }
  const threadId = scopeId ?? target.threadId
  const categoryId = threadId === null ? null : await selectThreadCategory(tx, threadId)
  if (categoryId === null) throw refuse('not_found', 'thread_not_found')
  requireBanPermission(moderator, categoryId)
  return { categoryId, threadId }
}

async function findSubjects(db: Db, { userId, visitorId }: TargetRow, kind: BanKind, at: Date): Promise<string[]> {
  if (kind === 'user') return userId === null ? [] : [userId]
  // A former account's id is in place of the browser's; those of browsers are random.
  if (kind === 'visitor') return visitorId === null || isUuidv7(visitorId) ? [] : [visitorId]
  const actor = userId ?? visitorId
  return actor === null ? [] : selectNetworks(db, actor, lookBack(at))
}

function toLabel(secret: string, { name, visitorId }: TargetRow, kind: BanKind): string {
  if (name !== null) return toMemberLabel(name, kind)
  const who = toVisitorLabel(secret, visitorId!)
  return kind === 'network' ? `${who}の回線` : who
}

/** Removes a deleted member's name from the bans aimed at them. The bans stay in force. */
export const forgetBanned = (db: Db, userId: string): Promise<void> =>
  forgetBannedName(db, userId, {
    user: toMemberLabel(messages.departed_member, 'user'),
    visitor: toMemberLabel(messages.departed_member, 'visitor'),
    network: toMemberLabel(messages.departed_member, 'network'),
  })
