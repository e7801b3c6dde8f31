/** A board per worker with an administrator, and API calls of moderators and administrators. */
import type { User } from '@shinobi/contract/accounts'
import type { RoleInput } from '@shinobi/contract/admin'
import { openBoard, signUp, type Board, type Member } from './board.ts'
import { test as base } from './test.ts'

const ADMIN = { name: 'hanzo', email: 'hanzo@example.jp', password: '服部の合言葉 42' }

export const openAdminBoard = (settings: Readonly<Record<string, string>> = {}): Promise<Board> =>
  openBoard({ ADMIN_USERNAME: ADMIN.name, ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ...settings })

/** An access token lasts a quarter of an hour; the board of a worker may last longer. */
const RENEW_AFTER_MS = 10 * 60_000

async function openSession(board: Board): Promise<{ user: User; cookie: string; endsAt: number }> {
  const answer = await fetch(`${board.url}/auth/login`, {
    method: 'POST',
    headers: { origin: board.url, 'content-type': 'application/json' },
    body: JSON.stringify({ username: ADMIN.name, password: ADMIN.password }),
  })
  if (!answer.ok) throw new Error(`the log-in was refused: ${await answer.text()}`)
  const { user } = (await answer.json()) as { user: User }
  const cookies = answer.headers.getSetCookie().map((one) => one.split(';')[0])
  return { user, cookie: cookies.join('; '), endsAt: Date.now() + RENEW_AFTER_MS }
}

/** The administrator, with sessions of its own. */
export async function enterAsAdmin(board: Board): Promise<Member> {
  let session = await openSession(board)
  const { user } = session
  const send: Member['send'] = async <T>(method: string, path: string, body?: unknown) => {
    if (Date.now() > session.endsAt) session = await openSession(board)
    const { cookie } = session
    const sent = await fetch(board.url + path, {
      method,
      headers: { origin: board.url, cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!sent.ok) throw new Error(`refused: ${sent.status} ${await sent.text()}`)
    return (await sent.json()) as T
  }
  return { user, password: ADMIN.password, send }
}

/** A new member with a role; `user` is the answer from before the role was given. */
export async function signUpAs(
  board: Board,
  admin: Member,
  role: RoleInput['role'],
  categoryIds: string[] | null = null,
) {
  const member = await signUp(board)
  await admin.send('PUT', `/api/admin/users/${member.user._id}/role`, { role, categoryIds })
  return member
}

export const test = base.extend<object, { run: Board; admin: Member }>({
  run: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of what a fixture needs from this pattern
    async ({}, provide) => {
      const board = await openAdminBoard()
      await provide(board)
      await board.close()
    },
    { scope: 'worker' },
  ],
  admin: [async ({ run }, provide) => provide(await enterAsAdmin(run)), { scope: 'worker' }],
})
