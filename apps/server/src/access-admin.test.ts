/**
 * A walk over every registered call under /api/admin, asked by everybody who may not call it. Calls and what they take are read from
 * the running server: one that is added tomorrow is walked by without anybody writing it down here.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Access } from '@shinobi/contract/common'
import { messages } from '@shinobi/contract/messages'
import { insertAudit } from './features/audit/audit.queries.ts'
import { ACCESS_KEY } from './http/docs.ts'
import { uuidv7 } from './lib/uuid.ts'
import { openBoard, signUp, startThread, visit, writeTo, type Answer, type Board, type Guest } from './testing/board.ts'
import { addSource, addStory } from './testing/stories.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** As much of JSON Schema as is needed to make a value that fits. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly minItems?: number
  readonly minimum?: number
  readonly minLength?: number
  readonly format?: string
}

interface AdminCall {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly access: Access | undefined
  readonly body: Schema | undefined
}

/** Everything that stands in the category of others, by what a URL or a body calls it. */
type Scene = Readonly<Record<string, string>>

const TITLE = '他人の受け持ちのスレッド'

let board: Board
let calls: readonly AdminCall[]
let scene: Scene

beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '10000' })
  calls = readCalls(board)
  scene = await setScene(board)
})
afterAll(() => board.close())

function readCalls({ app }: Board): AdminCall[] {
  const found: AdminCall[] = []
  for (const [path, methods] of Object.entries(app.swagger().paths ?? {})) {
    if (!path.startsWith('/api/admin/')) continue
    for (const [verb, operation] of Object.entries(methods)) {
      const method = verb.toUpperCase() as Method
      const url = path.replaceAll(/\{(\w+)\}/g, ':$1')
      const content = (operation as { requestBody?: { content?: Record<string, { schema?: Schema }> } }).requestBody
        ?.content
      const body = content?.['application/json']?.schema
      found.push({
        name: `${method} ${url}`,
        method,
        path,
        access: (operation as { [ACCESS_KEY]?: Access })[ACCESS_KEY],
        body,
      })
    }
  }
  return found
}

async function setScene(where: Board): Promise<Scene> {
  const { db } = where.database
  const member = await signUp(where, '楓の葉')
  const thread = await startThread(member, { category: 'politics', title: TITLE })
  const post = await writeTo(member, thread, '他人の受け持ちの書き込み')
  await visit(where).post(`/api/threads/${thread._id}/posts/${post._id}/report`, {
    reason: '荒らしです',
    content: '一言',
  })
  const report = await db.selectFrom('reports').select('id').executeTakeFirstOrThrow()
  const at = new Date(where.clock.now)
  const id = () => uuidv7(where.clock.now)
  const [held, ban] = [id(), id()]
  const payload = JSON.stringify({ name: null, content: '他人の受け持ちの待つ書き込み', image: null })
  const inCategory = { categoryId: thread.categoryId, threadId: thread._id }
  await db
    .insertInto('heldPosts')
    .values({ id: held, status: 'waiting', ...inCategory, visitorId: id(), why: 'word', payload, createdAt: at })
    .execute()
  const target = { scope: 'category', scopeId: thread.categoryId, subject: id(), label: '', reason: '荒らし' } as const
  await db
    .insertInto('bans')
    .values({ id: ban, kind: 'visitor', ...target, createdAt: at, expiresAt: null })
    .execute()
  const action = await insertAudit(db, { actor: null, at, action: 'thread_lock', ...inCategory, details: {} })
  const source = await addSource(where)
  const word = await db.selectFrom('bannedWords').select('id').executeTakeFirstOrThrow()
  return {
    ...{ thread: thread._id, post: post._id, category: thread.categoryId, report: report.id, held, ban, action },
    ...{ source, story: await addStory(where, { sourceId: source, state: 'waiting' }) },
    ...{ word: word.id, user: member.userId, scope: thread.categoryId, moveTo: thread.categoryId },
  }
}

const SINGULAR: Readonly<Record<string, string>> = { categories: 'category', shields: 'category', tracing: 'thread' }

/** What a parameter of a URL names: by its own name (threadId), else by what stands before it (/threads/{id}). */
function resolve(path: string): { url: string; names: string[] } {
  const names: string[] = []
  const parts = path.split('/')
  const url = parts.map((part, index) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined) return part
    const before = parts[index - 1]!
    const noun = name === 'id' ? (SINGULAR[before] ?? before.replace(/s$/, '')) : name.replace(/Id$/, '')
    names.push(noun)
    const value = scene[noun]
    if (value === undefined) throw new Error(`the scene has no "${noun}", which ${path} names`)
    return value
  })
  return { url: url.join('/'), names }
}

/** A value that fits a schema, with ids of the scene. */
function sample(schema: Schema, name = ''): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (choice !== undefined) return sample(choice, name)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => sample(part, name)))
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object': {
      // Where nothing has to be sent, something is: nothing at all may be refused for that alone.
      const required = schema.required ?? Object.keys(schema.properties ?? {}).slice(0, 1)
      return Object.fromEntries(required.map((key) => [key, sample(schema.properties?.[key] ?? {}, key)]))
    }
    case 'array':
      return (schema.minItems ?? 0) > 0 ? [sample(schema.items ?? {}, name)] : []
    case 'string':
      if (schema.format === 'uuid') return scene[name.replace(/Ids?$/, '')] ?? scene['category']
      return 'あ'.repeat(Math.max(3, schema.minLength ?? 0))
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1)
    case 'boolean':
      return true
    default:
      return null
  }
}

function ask(guest: Guest, { method, path, body }: AdminCall): Promise<Answer<{ code?: string; message?: string }>> {
  const { url } = resolve(path)
  if (method === 'GET') return guest.get(url)
  const send = method === 'POST' ? guest.post : method === 'PUT' ? guest.put : guest.delete
  return send(url, body === undefined ? {} : sample(body))
}

/** What each call answers, by its name. */
async function askAll(
  guest: Guest,
  which: readonly AdminCall[],
): Promise<[name: string, status: number, code: string | undefined][]> {
  const answers: [string, number, string | undefined][] = []
  for (const call of which) {
    const { status, body } = await ask(guest, call)
    answers.push([call.name, status, body.code])
  }
  return answers
}
const allAnswer = (which: readonly AdminCall[], status: number, code: string) =>
  which.map(({ name }) => [name, status, code])
const byAccess = (access: Access): AdminCall[] => calls.filter((call) => call.access === access)

describe('the calls under /api/admin', () => {
  it('are found, with those that clients rely on among them', () => {
    const names = calls.map(({ name }) => name)
    for (const name of [
      ...['GET /api/admin/dashboard', 'GET /api/admin/users', 'GET /api/admin/threads', 'GET /api/admin/posts'],
      ...['DELETE /api/admin/threads/:id', 'DELETE /api/admin/posts/:id'],
      ...['GET /api/admin/categories', 'POST /api/admin/categories', 'DELETE /api/admin/categories/:id'],
    ]) {
      expect(names).toContain(name)
    }
  })

  it('are for moderators or administrators, each of them', () => {
    expect(calls.filter(({ access }) => access !== 'moderator' && access !== 'admin')).toEqual([])
    expect(byAccess('moderator').length).toBeGreaterThan(5)
    expect(byAccess('admin').length).toBeGreaterThan(5)
  })

  it('know neither a stranger nor a visitor who has been here before', async () => {
    expect(await askAll(visit(board), calls)).toEqual(allAnswer(calls, 401, 'unauthorized'))
    const known = visit(board)
    await known.post(`/api/threads/${scene['thread']}/checkNickname`, { nickname: '影の者' })
    expect(known.cookies.has('visitor')).toBe(true)
    expect(await askAll(known, calls)).toEqual(allAnswer(calls, 401, 'unauthorized'))
  })

  it('refuse a member, and who has no mail address, whatever they are called', async () => {
    expect(await askAll(await signUp(board), calls)).toEqual(allAnswer(calls, 403, 'forbidden'))
    const nameless = [
      await signUp(board, undefined, { isAdmin: true }),
      await signUp(board, undefined, { moderates: 'all' }),
    ]
    for (const guest of nameless) {
      const { db } = board.database
      await db.updateTable('users').set({ email: null, emailKey: null }).where('id', '=', guest.userId).execute()
      expect(await askAll(guest, calls)).toEqual(allAnswer(calls, 403, 'forbidden'))
    }
  })

  it('refuse a moderator of no category any more', async () => {
    const guest = await signUp(board, undefined, { moderates: [] })
    expect(await askAll(guest, calls)).toEqual(allAnswer(calls, 403, 'forbidden'))
  })

  it('refuse a moderator what is for administrators', async () => {
    const guest = await signUp(board, undefined, { moderates: 'all' })
    const which = byAccess('admin')
    expect(await askAll(guest, which)).toEqual(allAnswer(which, 403, 'forbidden'))
  })

  it('refuse a moderator of one category what stands in another', async () => {
    const general = await board.database.db
      .selectFrom('categories')
      .select('id')
      .where('name', '=', 'general')
      .executeTakeFirstOrThrow()
    const guest = await signUp(board, undefined, { moderates: [general.id] })
    const which = byAccess('moderator').filter(({ path }) => path.includes('{'))
    expect(which.length).toBeGreaterThan(5)
    expect(await askAll(guest, which)).toEqual(allAnswer(which, 403, 'forbidden'))
    // Not because of who asks, but because of what it is about.
    for (const call of which)
      expect([call.name, (await ask(guest, call)).body.message]).toEqual([call.name, messages.out_of_scope])
  })

  it('show a moderator of one category nothing of another', async () => {
    const general = await board.database.db
      .selectFrom('categories')
      .select('id')
      .where('name', '=', 'general')
      .executeTakeFirstOrThrow()
    const scoped = await signUp(board, undefined, { moderates: [general.id] })
    const all = await signUp(board, undefined, { moderates: 'all' })
    const lists = byAccess('moderator').filter(({ method, path }) => method === 'GET' && !path.includes('{'))
    const secrets = [scene['thread']!, scene['post']!, scene['held']!, scene['ban']!, TITLE]
    let seen = 0
    for (const call of lists) {
      const [mine, theirs] = [await ask(scoped, call), await ask(all, call)]
      expect([call.name, mine.status, theirs.status]).toEqual([call.name, 200, 200])
      const told = secrets.filter((secret) => JSON.stringify(mine.body).includes(secret))
      expect([call.name, told]).toEqual([call.name, []])
      if (secrets.some((secret) => JSON.stringify(theirs.body).includes(secret))) seen += 1
    }
    // Threads, posts, cases, held posts and bans: there was something to be seen.
    expect(seen).toBeGreaterThanOrEqual(5)
  })

  it('refuse an administrator without a second factor where one is demanded', async () => {
    const chief = await signUp(board, undefined, { isAdmin: true })
    const { db } = board.database
    await db
      .insertInto('settings')
      .values({ key: 'board', value: JSON.stringify({ change: { requireSecondFactor: true }, changedAt: null }) })
      .execute()
    const raise = () =>
      db.transaction().execute((tx) =>
        tx
          .insertInto('revisions')
          .values({ name: 'settings', revision: 1_000 })
          .onConflict((conflict) => conflict.column('name').doUpdateSet({ revision: 1_000 }))
          .execute(),
      )
    await raise()
    await board.deps.revisions.settle()
    expect(await askAll(chief, calls)).toEqual(allAnswer(calls, 403, 'second_factor_missing'))
    await db.deleteFrom('settings').where('key', '=', 'board').execute()
    await db.updateTable('revisions').set({ revision: 1_001 }).where('name', '=', 'settings').execute()
    await board.deps.revisions.settle()
  })

  it('let those through for whom they are, as far as their rules go', async () => {
    // Last: these do what they say.
    const moderator = await signUp(board, undefined, { moderates: 'all' })
    for (const [name, status] of await askAll(moderator, byAccess('moderator'))) {
      expect([name, [401, 403, 500].includes(status)]).toEqual([name, false])
    }
    const admin = await signUp(board, undefined, { isAdmin: true })
    for (const [name, status] of await askAll(admin, byAccess('admin'))) {
      expect([name, [401, 403, 500].includes(status)]).toEqual([name, false])
    }
  })
})
