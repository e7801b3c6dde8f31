import { describe, expect, it } from 'vitest'
import { PUSH_OWN_POSTS_MAX, PUSH_THREADS_MAX } from '@shinobi/contract/watching-limits'
import { newRecord, type ThreadRecord } from '../reading/record.ts'
import { NOTHING_WATCHED, type Watching } from './alerts.ts'
import { PUSH_WISHES, toRegistration } from './push-registration.ts'

const wishes = { ...PUSH_WISHES, token: 't' }
const record = (id: string, more: Partial<ThreadRecord> = {}): ThreadRecord => ({ ...newRecord(id), ...more })
const threadsOf = (watching: Partial<Watching>, records: readonly ThreadRecord[], more: Partial<typeof wishes> = {}) =>
  toRegistration({ ...NOTHING_WATCHED, ...watching }, records, { ...wishes, ...more }).threads

describe('toRegistration', () => {
  it('names watched threads and own posts, and nothing else that was read', () => {
    const records = [record('c', { isOwn: true, ownPosts: [4] }), record('b', { favouriteAt: 1 }), record('a')]
    expect(threadsOf({ threads: ['a'] }, [...records, record('d')])).toEqual([
      { threadId: 'a', watched: true, ownPosts: [] },
      { threadId: 'c', watched: false, ownPosts: [1, 4] },
    ])
    expect(threadsOf({ favourites: true }, records).map(({ threadId }) => threadId)).toEqual(['b', 'c'])
  })

  it('leaves out what is not wanted', () => {
    expect(threadsOf({ threads: ['a'] }, [record('a')], { posts: false })).toEqual([])
    const watching = { ...NOTHING_WATCHED, keywords: ['月'] }
    expect(toRegistration(watching, [], wishes).words).toEqual(['月'])
    expect(toRegistration(watching, [], { ...wishes, words: false }).words).toEqual([])
  })

  it('is the same whatever was touched last, and never larger than the server takes', () => {
    const many = Array.from({ length: 300 }, (_, index) =>
      record(`t${index}`, { ownPosts: Array.from({ length: 200 }, (_each, number) => number + 1), updatedAt: index }),
    )
    const threads = threadsOf({ threads: many.map(({ threadId }) => threadId).slice(0, 100) }, many)
    expect(threads).toHaveLength(PUSH_THREADS_MAX)
    expect(threads.filter(({ watched }) => watched)).toHaveLength(100)
    expect(threads[0]!.ownPosts).toHaveLength(PUSH_OWN_POSTS_MAX)
    expect(threads[0]!.ownPosts.at(-1)).toBe(200)
    const few = many.slice(0, 5)
    expect(threadsOf({}, few)).toEqual(threadsOf({}, few.toReversed()))
  })
})
