import type { FastifyReply } from 'fastify'
import { foldName } from '../lib/fold.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { visit, type Board, type MemberGuest } from './board.ts'

/** Rows per statement. */
const PORTION = 500

/**
 * Creates many members with a browser and an address each. Sessions are written to the database: a
 * thousand log-ins would take too long.
 */
export async function signUpCrowd(board: Board, count: number): Promise<MemberGuest[]> {
  const { db } = board.database
  const { now } = board.clock
  const at = new Date(now)
  const people = Array.from({ length: count }, (_, index) => ({
    userId: uuidv7(now),
    sessionId: uuidv7(now),
    name: `群衆その${index} ${uuidv7(now).slice(-6)}`,
    address: `10.${Math.floor(index / 65_536) % 256}.${Math.floor(index / 256) % 256}.${index % 256}`,
  }))
  for (let index = 0; index < count; index += PORTION) {
    const portion = people.slice(index, index + PORTION)
    await db
      .insertInto('users')
      .values(portion.map(({ userId, name }) => ({ id: userId, name, createdAt: at })))
      .execute()
    await db
      .insertInto('userNames')
      .values(portion.map(({ userId, name }) => ({ userId, name: foldName(name) })))
      .execute()
    await db
      .insertInto('sessions')
      .values(
        portion.map(({ userId, sessionId }) => ({
          ...{ id: sessionId, userId, tokenHash: '', device: '', createdAt: at, lastUsedAt: at },
          expiresAt: new Date(now + 30 * 86_400_000),
        })),
      )
      .execute()
  }
  return Promise.all(
    people.map(async ({ userId, sessionId, name, address }) => {
      const guest = visit(board, address)
      const reply = { setCookie: (cookie: string, value: string) => void guest.cookies.set(cookie, value) }
      const tokens = { sessionId, userId, refreshToken: '' }
      await board.deps.sessions.issue(reply as unknown as FastifyReply, tokens)
      // Made of an empty refresh token, so it is useless.
      guest.cookies.delete('refresh')
      return { ...guest, userId, name }
    }),
  )
}
