import { describe, expect, it } from 'vitest'
import { reachOf } from './statement-reach.ts'

const T1 = '01900000-0000-7000-8000-000000000001'
const T2 = '01900000-0000-7000-8000-000000000002'

describe('a statement needs the worker of the thread', () => {
  it.each([
    ['that it compares with', 'select id from posts where "threadId" = $1 and id = $2', [T1, T2]],
    ['whose row it reads', 'select "postCount" from "threads" where "id" = $1', [T1]],
    [
      'whose row it joins with others',
      'select 1 from "threads" as "t" left join "nicknames" as "n" on "n"."threadId" = "t"."id" where "t"."id" = $2',
      ['影', T1],
    ],
    [
      'that it locks',
      'select 1 from threads as t where t.id = $1::uuid and t."removedAt" is null for no key update',
      [T1],
    ],
    [
      'that it selects as a column',
      'insert into rooms ("userId", "threadId", "lastPostAt") select "userId", "threadId", $1::timestamptz from (select $2::uuid as "threadId", $3::uuid as "userId") as member',
      [0, T1, T2],
    ],
    [
      'that it inserts',
      'insert into "posts" ("threadId", "number", "id") values ($1, $2, $3), ($4, $5, $6)',
      [T1, 1, T2, T1, 2, T2],
    ],
    [
      'that it inserts by a selection',
      'insert into "threadLikes" ("threadId", "userId", "createdAt") select $1::uuid, "userId", $2::timestamptz from (select * from json_to_recordset($3::text::json) as change("userId" uuid)) as change',
      [T1, 0, '[]'],
    ],
    ['that it creates', 'insert into threads (id, "categoryId", title) values ($1, $2, $3)', [T1, T2, '影']],
    [
      'that a case is opened in',
      'insert into cases ("threadId", "postId", number) select id, $1::uuid, $2::integer from threads where id = $3::uuid',
      [T2, 1, T1],
    ],
  ])('%s', (_, text, values) => {
    const reach = reachOf(text, values)
    expect(new Set((reach as { threadIds: string[] }).threadIds)).toEqual(new Set([T1]))
  })

  it('or those of several threads', () => {
    const text = 'insert into "posts" ("threadId", "number") values ($1, $2), ($3, $4)'
    expect(reachOf(text, [T1, 1, T2, 1])).toEqual({ threadIds: [T1, T2] })
    const locks = 'select t.id from threads as t where "t"."id" = any($1::uuid[]) for no key update'
    expect(reachOf(locks, [[T1, T2]])).toEqual({ threadIds: [T1, T2] })
    const reads = 'select "p"."id" from posts as p where "p"."threadId" = any($2::uuid[]) and number > $1'
    expect(reachOf(reads, [1, [T1, T2]])).toEqual({ threadIds: [T1, T2] })
  })
})

it.each([
  'select t.id from threads as t where t."removedAt" is null order by t."rankedPostAt" desc limit $1',
  'select "threadId" from "posts" where "id" = $1',
  'select id from threads where id in (select value::uuid as id from json_array_elements_text($1::text::json))',
  'select "t"."title" from "bans" as "b" left join "threads" as "t" on "t"."id" = "b"."scopeId" where "b"."id" = $1',
  'delete from "searchDocuments" as d using json_to_recordset($1::text::json) as place("threadId" uuid) where d."threadId" = place."threadId"',
  'insert into "users" ("id", "name") values ($1, $2)',
  'update "users" set "isAdmin" = $1 where "id" = $2',
])('every worker is needed for “%s”', (text) => {
  expect(reachOf(text, [T1, T2])).toBe('all')
})

it.each([
  'select id, name from categories order by position',
  'select "u"."name" from "sessions" as "s" join "users" as "u" on "u"."id" = "s"."userId" where "s"."id" = $1',
  'select id from "heldPosts" where "threadId" = $1',
  'update tallies set count = count + $1 where kind = $2',
  'begin',
  'commit',
])('no worker is needed for “%s”', (text) => {
  expect(reachOf(text, [T1, T2])).toBe('coordinator')
})
