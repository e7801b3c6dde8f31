import type { WriterHistory } from '@shinobi/contract/admin'
import type { BanTarget } from '@shinobi/contract/bans'
import type { Core } from '../../core.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { selectBansAgainst, selectMemberTarget, selectWriterTarget } from '../bans/bans.queries.ts'
import { toBan, toVisitorLabel } from '../bans/bans.view.ts'
import { selectWriter, type Writer } from '../posts/authors.queries.ts'
import { selectAdminPosts, selectAdminThreads, selectAdminUsers } from './admin-lists.queries.ts'
import type { AdminDeps } from './admin.deps.ts'
import { toAdminPost, toAdminThread } from './admin.view.ts'
import { findOpenedThreads, findWrittenPosts, selectWriterCases } from './writer.queries.ts'

type WriterDeps = Pick<AdminDeps, 'db' | 'now' | 'secret' | 'searches' | 'searchDbFor' | 'settings'>

/**
 * A writer's recent posts and threads, the reports of them, and the bans, within the moderator's
 * part of the board.
 * @throws ApiError not_found: no such post or member, or the writer of the post is unknown;
 * forbidden: a post of another part
 */
export async function readWriterHistory(
  { db, now, secret, searches, searchDbFor, settings }: WriterDeps,
  request: Parameters<Core['searchDbFor']>[0],
  moderator: Moderator,
  target: BanTarget,
): Promise<WriterHistory> {
  const { scope } = moderator
  const writer = await findWriter({ db }, moderator, target)
  const member = writer.userId === null ? undefined : (await selectAdminUsers(db, [writer.userId], new Date(now())))[0]
  const found = await searches.run(
    moderator.id,
    async () => {
      const searchDb = searchDbFor(request)
      return {
        posts: await findWrittenPosts(searchDb, writer, scope),
        threads: await findOpenedThreads(searchDb, writer, scope),
        cases: await selectWriterCases(searchDb, writer, scope),
      }
    },
    'list_too_broad',
  )
  return {
    label: writer.userId === null ? toVisitorLabel(secret, writer.visitorId) : (member?.name ?? ''),
    memberSince: member?.createdAt.toISOString() ?? null,
    posts: (await selectAdminPosts(db, found.posts)).map(toAdminPost),
    threads: (await selectAdminThreads(db, found.threads)).map((row) => toAdminThread(row, settings.current.postLimit)),
    cases: found.cases.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    bans: (await selectBansAgainst(db, writer, scope, null)).map((ban) => toBan(ban, moderator)),
  }
}

async function findWriter({ db }: Pick<Core, 'db'>, moderator: Moderator, target: BanTarget): Promise<Writer> {
  if ('userId' in target) {
    if ((await selectMemberTarget(db, target.userId)) === undefined) throw refuse('not_found', 'user_not_found')
    return { userId: target.userId, visitorId: null }
  }
  const post = await selectWriterTarget(db, target.threadId, target.postId)
  if (post?.categoryId == null) throw refuse('not_found', 'post_not_found')
  requirePermission(moderator, 'seeWriters', post.categoryId)
  const writer = await selectWriter(db, target)
  if (writer === undefined) throw refuse('not_found', 'writer_unknown')
  return writer
}
