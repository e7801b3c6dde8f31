/**
 * IDs beside the time of a post: one for the posts of a person in a thread on a day, so that
 * readers can tell who is speaking, and nobody can follow a person into another thread or day.
 * docs/decisions/0056-ids-of-a-day.md explains the choices.
 */
import { createHmac, randomBytes } from 'node:crypto'
import type { PosterIds } from '@shinobi/contract/categories'
import type { Db } from '../../db/client.ts'
import { sitePrefix, type Visitor } from '../../http/visitor.ts'
import { dayInJapan } from '../../lib/day-in-japan.ts'
import { createLru } from '../../lib/lru.ts'
import type { Service } from '../../lib/services.ts'
import { networkOf } from '../bans/networks.ts'
import { deleteKeysBefore, replaceFile, takeDayKey } from './day-keys.queries.ts'

export interface PosterIdService extends Service {
  /**
   * The ID of a person at this moment.
   * @param poster of `posterOf`
   * @returns null where the category shows none
   */
  idOf(poster: string, place: PosterPlace): Promise<string | null>
}

/** Where a post is written, and what an ID shows there. */
export interface PosterPlace {
  readonly posterIds: PosterIds
  readonly categoryId: string
  readonly threadId: string
}

/** Six bytes are eight characters: by chance two of a million IDs are equal once in 560 times. */
const ID_BYTES = 6
const KEY_BYTES = 32
/** IDs of the day in memory: to compute one takes as long as the other checks of a post. */
const IDS_KEPT = 20_000

/**
 * Who counts as one person for IDs: a member; a browser with a level of its own; any other browser
 * as part of its network, so that a new cookie makes no new person.
 * @param isSettled of `levels.isSettled`
 */
export function posterOf({ member, visitorId, origin }: Visitor, isSettled: boolean): string {
  if (member !== null) return `member ${member.id}`
  if (isSettled) return `browser ${visitorId}`
  // The /24 of an IPv4 address, the /48 of an IPv6 one.
  const network = networkOf(origin.address)
  return `network ${sitePrefix(network) ?? network}`
}

/** A person in the place where an ID counts. */
const personOf = (poster: string, { posterIds, categoryId, threadId }: PosterPlace): string =>
  `${posterIds === 'day' ? `category ${categoryId}` : `thread ${threadId}`}\n${poster}`

/** The ID of a person of `personOf` on the day of a key. */
export const computeId = (key: Buffer, person: string): string =>
  createHmac('sha256', key).update(person).digest().subarray(0, ID_BYTES).toString('base64url')

/** A day with its key, and the IDs that were computed with it. */
const openDay = (day: string, key: Promise<Buffer>) => ({ day, key, ids: createLru<string, string>(IDS_KEPT) })

export function createPosterIds({ db, now }: { readonly db: Db; readonly now: () => number }): PosterIdService {
  /** The day on which the file of the keys was replaced. */
  let cleanDay: string | null = null
  /** Only the current day is in memory. */
  let current: ReturnType<typeof openDay> | null = null

  function takeDay(day: string): ReturnType<typeof openDay> {
    if (current?.day === day) return current
    const read = openDay(day, readKey(day))
    current = read
    read.key.catch(() => {
      if (current === read) current = null
    })
    return read
  }

  async function readKey(day: string): Promise<Buffer> {
    // Before the first ID of a day exists, those of earlier days can no longer be computed.
    await deleteKeysBefore(db, day)
    return takeDayKey(db, day, randomBytes(KEY_BYTES))
  }

  return {
    async idOf(poster, place) {
      if (place.posterIds === 'off') return null
      const { key, ids } = takeDay(dayInJapan(now()))
      const person = personOf(poster, place)
      const known = ids.get(person)
      if (known !== undefined) return known
      const id = computeId(await key, person)
      ids.set(person, id)
      return id
    },
    /**
     * Deletes the key of a day without posts after it, and takes the stored key, should it differ:
     * after a crash of the database another server may have made a new one.
     */
    async sweep(at) {
      const day = dayInJapan(at)
      if (current !== null && current.day !== day) current = null
      await deleteKeysBefore(db, day)
      // Once a day: this locks the table.
      if (day !== cleanDay) await replaceFile(db, day)
      cleanDay = day
      const today = current
      if (today === null) return
      const key = await today.key
      const stored = await takeDayKey(db, day, key)
      if (!stored.equals(key)) current = openDay(day, Promise.resolve(stored))
    },
  }
}
