/** Banning, and taking bans back. What is banned is checked by bans.service.ts. */
import type { Transaction } from 'kysely'
import type { Ban, BanInput, BanKind, BanPreview, BanTarget } from '@shinobi/contract/bans'
import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { rankOf, requireScope, runsBoard, type Moderator } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import {
  countActors,
  forgetBannedName,
  insertBans,
  isAnyAimedAt,
  markLifted,
  selectBansById,
  selectMemberTarget,
  selectNetworks,
  selectThreadCategory,
  selectWriterTarget,
  type BanRow,
  type NewBan,
  type TargetRow,
} from './bans.queries.ts'
import { toBan, toMemberLabel, toVisitorLabel } from './bans.view.ts'

type BanningDeps = Pick<Deps, 'secret' | 'revisions'>
type IpLoggingDeps = Pick<Deps, 'bans' | 'ipLogging'>

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const KINDS: readonly BanKind[] = ['user', 'visitor', 'network']
const lookBack = (at: Date): Date => new Date(at.getTime() - LOOK_BACK_DAYS * DAY_MS)

export interface MadeBans {
  readonly bans: readonly BanRow[]
  /** The entry in the log. */
  readonly actionId: string
}

/** Where a ban holds: both null for the whole board. */
interface BanPlace {
  readonly categoryId: string | null
  readonly threadId: string | null
}

/**
 * Bans in a transaction: one ban for each kind that is asked for, and one entry in the log for them together, which names them by id
 * so that `liftBansIn` can take them back.
 * @param networks subjects of networks that are known beside those of the target's last days, see findLoggedNetworks()
 *
 * A ban by a moderator of some categories of somebody who is not below them is made, listed and logged like any other, but hits
 * nobody: a refusal would tell who runs the board. The log, which administrators read, says that it does not hold.
 * @throws ApiError not_found; forbidden (out of the moderator's scope; oneself, and who is not below); bad_request when the target
 *   has no account, browser or network to ban
 */
export async function createBansIn(
  tx: Transaction<Tables>,
  { secret, revisions }: BanningDeps,
  moderator: Moderator,
  input: BanInput,
  at: Date,
  networks: readonly string[] = [],
): Promise<MadeBans> {
  const target = await findTarget(tx, moderator, input.target)
  if (isKnownToOutrank(moderator, target)) throw refuse('forbidden', 'ban_rank')
  const isHollow = target.rank >= rankOf(moderator)
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
 * Takes bans back in a transaction; those that were lifted before stay as they are. Writes no log, and asks nobody's scope.
 * @throws ApiError forbidden: a moderator who is banned does not end that; whoever runs the board can
 */
export async function liftBansIn(
  tx: Transaction<Tables>,
  { revisions }: Pick<BanningDeps, 'revisions'>,
  moderator: Pick<Moderator, 'id' | 'isAdmin' | 'email'>,
  ids: readonly string[],
  at: Date,
): Promise<string[]> {
  if (!runsBoard(moderator) && (await isAnyAimedAt(tx, ids, moderator.id))) throw refuse('forbidden', 'ban_own')
  const lifted = await markLifted(tx, ids, at)
  if (lifted.length > 0) await revisions.raise(tx, 'bans')
  return lifted
}

/** @throws as createBansIn */
export async function createBans(
  deps: BanningDeps & IpLoggingDeps & Pick<Deps, 'db' | 'now'>,
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

/** Lifts a ban, and says so in the log; one that was lifted before stays as it is. @throws ApiError not_found, forbidden */
export async function liftBan(
  deps: Pick<Deps, 'db' | 'now' | 'revisions'>,
  moderator: Moderator,
  banId: string,
): Promise<void> {
  const at = new Date(deps.now())
  await inTransaction(deps.db, async (tx) => {
    const [ban] = await selectBansById(tx, [banId])
    if (ban === undefined) throw refuse('not_found', 'ban_not_found')
    refuseOutOfScope(moderator, ban.categoryId)
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
 * Which kinds of ban are possible for a target, and how many of those who wrote lately each would hit. For networks that is a
 * floor, unless temporary logging knows the address: whoever wrote from the same network on other days than the target only stands
 * there by another hash.
 * @throws ApiError not_found, forbidden
 */
export async function previewBan(
  deps: IpLoggingDeps & Pick<Deps, 'db' | 'now'>,
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
  return { kinds }
}

/** The network a post came from as a ban takes it, while its thread is logged; else none. */
export async function findLoggedNetworks(
  deps: IpLoggingDeps,
  moderator: Moderator,
  target: BanTarget,
): Promise<string[]> {
  const address = await findLoggedAddress(deps, moderator, target)
  return address === null ? [] : [deps.bans.networkSubject(address)]
}

/** Where a post came from, while its thread is logged: only administrators may use it, and nobody reads it here. */
async function findLoggedAddress(
  { ipLogging }: IpLoggingDeps,
  moderator: Moderator,
  target: BanTarget,
): Promise<string | null> {
  return runsBoard(moderator) && 'postId' in target ? ipLogging.findAddress(target.threadId, target.postId) : null
}

/** Whether the target is the moderator, or somebody not below them, and the moderator may know. */
const isKnownToOutrank = (moderator: Moderator, { userId, rank }: TargetRow): boolean =>
  userId === moderator.id || (moderator.scope === 'all' && rank >= rankOf(moderator))

async function findTarget(db: Db, moderator: Moderator, target: BanTarget): Promise<TargetRow> {
  if ('userId' in target) {
    // A member is nobody's category: who moderates some of them comes by a post that stands there.
    refuseOutOfScope(moderator, null)
    const member = await selectMemberTarget(db, target.userId)
    if (member === undefined) throw refuse('not_found', 'user_not_found')
    return member
  }
  const writer = await selectWriterTarget(db, target.threadId, target.postId)
  if (writer === undefined) throw refuse('not_found', 'post_not_found')
  requireScope(moderator, writer.categoryId!)
  return writer
}

/** Only who moderates the whole board touches what holds on all of it, or in a thread that is gone. */
function refuseOutOfScope(moderator: Moderator, categoryId: string | null): void {
  if (categoryId !== null) requireScope(moderator, categoryId)
  else if (moderator.scope !== 'all') throw refuse('forbidden', 'out_of_scope')
}

/** Where the ban shall hold: what the input names, or else where the post stands. */
async function findPlace(
  tx: Db,
  moderator: Moderator,
  target: TargetRow,
  { scope, scopeId = null }: BanInput,
): Promise<BanPlace> {
  if (scope === 'site') {
    refuseOutOfScope(moderator, null)
    return { categoryId: null, threadId: null }
  }
  if (scope === 'category') {
    const wanted = scopeId ?? target.categoryId
    const category = wanted === null ? undefined : await selectCategory(tx, wanted)
    if (category === undefined) throw refuse('not_found', 'category_not_found')
    requireScope(moderator, category.id)
    return { categoryId: category.id, threadId: null }
  }
  const threadId = scopeId ?? target.threadId
  const categoryId = threadId === null ? null : await selectThreadCategory(tx, threadId)
  if (categoryId === null) throw refuse('not_found', 'thread_not_found')
  requireScope(moderator, categoryId)
  return { categoryId, threadId }
}

async function findSubjects(db: Db, { userId, visitorId }: TargetRow, kind: BanKind, at: Date): Promise<string[]> {
  if (kind === 'user') return userId === null ? [] : [userId]
  if (kind === 'visitor') return visitorId === null ? [] : [visitorId]
  const actor = userId ?? visitorId
  return actor === null ? [] : selectNetworks(db, actor, lookBack(at))
}

function toLabel(secret: string, { name, visitorId }: TargetRow, kind: BanKind): string {
  if (name !== null) return toMemberLabel(name, kind)
  const who = toVisitorLabel(secret, visitorId!)
  return kind === 'network' ? `${who}の回線` : who
}

/** Takes a member's name off the bans aimed at them, when they have left. The bans stand. */
export const forgetBanned = (db: Db, userId: string): Promise<void> =>
  forgetBannedName(db, userId, {
    user: toMemberLabel(messages.departed_member, 'user'),
    visitor: toMemberLabel(messages.departed_member, 'visitor'),
    network: toMemberLabel(messages.departed_member, 'network'),
  })
