/** Records for tests of what is kept of threads. */
import fc from 'fast-check'
import { newRecord, type ThreadRecord } from './record.ts'

const ID = '01900000-0000-7000-8000-000000000001'

const number = fc.integer({ min: 0, max: 1_000 })
const orNull = fc.option(number)
/** Any record of one thread. */
export const anyRecord = fc
  .record({
    title: fc.string(),
    readThrough: number,
    postCount: number,
    visitedAt: orNull,
    favouriteAt: orNull,
    isOwn: fc.boolean(),
    ownPosts: fc.uniqueArray(number).map((numbers) => numbers.toSorted((a, b) => a - b)),
    updatedAt: number,
    removedAt: orNull,
    lastPostAt: orNull,
  })
  .map(({ removedAt, lastPostAt, ...fields }): ThreadRecord => {
    const isFavourite = fields.favouriteAt !== null && fields.favouriteAt >= (removedAt ?? 0)
    return {
      ...newRecord(ID),
      ...fields,
      favouriteAt: isFavourite ? fields.favouriteAt : null,
      ...(removedAt !== null && { favouriteRemovedAt: removedAt }),
      ...(lastPostAt !== null && { lastPostAt }),
    }
  })
