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
    visitRemovedAt: orNull,
    isOwnRemoved: fc.boolean(),
    removedThrough: orNull,
    lastPostAt: orNull,
  })
  .map(({ removedAt, visitRemovedAt, isOwnRemoved, removedThrough, lastPostAt, ...fields }): ThreadRecord => {
    const isFavourite = fields.favouriteAt !== null && fields.favouriteAt >= (removedAt ?? 0)
    const isVisited = fields.visitedAt !== null && fields.visitedAt >= (visitRemovedAt ?? 0)
    return {
      ...newRecord(ID),
      ...fields,
      favouriteAt: isFavourite ? fields.favouriteAt : null,
      visitedAt: isVisited ? fields.visitedAt : null,
      isOwn: fields.isOwn && !isOwnRemoved,
      ownPosts: fields.ownPosts.filter((one) => one > (removedThrough ?? -1)),
      ...(visitRemovedAt !== null && { visitRemovedAt }),
      ...(isOwnRemoved && { isOwnRemoved }),
      ...(removedThrough !== null && removedThrough > 0 && { ownPostsRemovedThrough: removedThrough }),
      ...(removedAt !== null && { favouriteRemovedAt: removedAt }),
      ...(lastPostAt !== null && { lastPostAt }),
    }
  })
