import type { Db } from '../db/client.ts'
import { inTransaction } from '../db/transaction.ts'
import { hashPassword } from '../features/accounts/passwords.ts'
import { insertMember } from '../features/accounts/register.service.ts'
import { selectUserByEmail } from '../features/accounts/users.queries.ts'
import { uuidv7 } from '../lib/uuid.ts'

/** People to try things out with. Their passwords are known to everybody: `npm run dev` has them, a real board must not. */
const PEOPLE = [
  { name: 'kaede', email: 'kaede@example.jp', isAdmin: false },
  { name: 'hanzo', email: 'hanzo@example.jp', isAdmin: true },
]

/** Opens the accounts of those who are not there yet. */
export async function seedPeople(db: Db, at: Date): Promise<void> {
  for (const { name, email, isAdmin } of PEOPLE) {
    const passwordHash = await hashPassword(`${name}-no-himitsu`)
    await inTransaction(db, async (tx) => {
      if ((await selectUserByEmail(tx, email)) !== undefined) return
      const id = uuidv7(at.getTime())
      await insertMember(tx, { id, name, email, emailVerifiedAt: at, passwordHash, isAdmin, at })
    })
  }
}
