import type { Db } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashPassword, OPERATOR } from '../features/accounts/passwords.ts'
import { insertMember } from '../features/accounts/register.service.ts'
import { selectUserByEmail } from '../features/accounts/users.queries.ts'
import { uuidv7 } from '../lib/uuid.ts'

/**
 * Accounts to try things out. Their passwords are public: `npm run dev` creates them, but a real
 * board must not have them.
 */
const PEOPLE = [
  { name: 'kaede', email: 'kaede@example.jp', isAdmin: false },
  { name: 'hanzo', email: 'hanzo@example.jp', isAdmin: true },
]

/** Creates those of the accounts that do not exist yet. */
export async function seedPeople(db: Db, at: Date): Promise<void> {
  for (const { name, email, isAdmin } of PEOPLE) {
    const passwordHash = await hashPassword(`${name}-no-himitsu`, OPERATOR)
    await inTransaction(db, async (tx) => {
      if ((await selectUserByEmail(tx, email)) !== undefined) return
      const id = uuidv7(at.getTime())
      await insertMember(tx, { id, name, email, emailVerifiedAt: at, passwordHash, isAdmin, at })
    })
  }
}
