/**
 * The weight of a like in the heat of its thread. Anybody can open dozens of accounts an hour, so a
 * like weighs little while its account is young. It follows from when the account and the like were
 * made, so a like that is taken back lowers the heat by what it had added, whenever that is.
 */
import { sql, type RawBuilder } from 'kysely'

const YOUNG_HOURS = 24
/** So all accounts that a /48 goes on opening weigh about what posts of one line do: ten. */
const YOUNG_WEIGHT = 1 / 250

/** SQL: the weight of a like, 1 at most. */
export const weightOfLike = (memberSince: RawBuilder<Date>, at: RawBuilder<Date>): RawBuilder<number> =>
  sql<number>`case when ${at} < ${memberSince} + make_interval(hours => ${YOUNG_HOURS}::integer) then ${YOUNG_WEIGHT}::float8 else 1 end`
