/**
 * Sends every registered call under /api/admin, as every kind of user that is refused and as every
 * kind that is allowed. The calls and their schemas are read from the running server, so a new call
 * is tested without an entry here. The allowed kinds are read from the table of permissions.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { may, objectionTo, PERMISSIONS, type Action, type Actor } from '@shinobi/contract/permissions'
import { insertAudit } from './features/audit/audit.queries.ts'
import { ACCESS_KEY } from './http/docs.ts'
import { uuidv7 } from './lib/uuid.ts'
import { ACTIONS } from './testing/actions.ts'
import { openBoard, signUp, startThread, visit, writeTo, type Answer, type Board, type Guest } from './testing/board.ts'
import { addSource, addStory } from './testing/stories.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Access = (typeof PERMISSIONS)[Action]['who']

/** The part of JSON Schema that is needed to create a valid value. */
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
  /** Fields that are sent in addition to those that the schema requires. */
  readonly extra?: Readonly<Record<string, unknown>>
}

/** Objects in a category of others, by the names of URL parameters and body fields. */
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
  const member = await signUp(where)
  const thread = await startThread(member, { category: 'politics', title: TITLE })
  const post = await writeTo(member, thread, '他人の受け持ちの書き込み')
  await visit(where).post(`/api/threads/${thread._id}/posts/${post._id}/report`, {
    reason: '荒らしです',
    content: '一言',
  })
  const report = await db
    .selectFrom('reports')
    .select('id')
    .where('threadId', '=', thread._id)
    .executeTakeFirstOrThrow()
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

/**
 * Resolves the parameters of a URL: by their own name (threadId), else by the preceding segment
 * (/threads/{id}).
 */
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

/** A value that is valid for a schema, with ids of the scene. */
function sample(schema: Schema, name = ''): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (choice !== undefined) return sample(choice, name)
  if (schema.allOf !== undefined) return Object.assign({}, ...schema.allOf.map((part) => sample(part, name)))
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0]
  switch (type) {
    case 'object': {
      // A schema without required fields gets one field: an empty body may be refused for being
      // empty.
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

function ask(
  guest: Guest,
  { method, path, body, extra }: AdminCall,
): Promise<Answer<{ code?: string; message?: string }>> {
  const { url } = resolve(path)
  if (method === 'GET') return guest.get(url)
  const send = method === 'POST' ? guest.post : method === 'PUT' ? guest.put : guest.delete
  return send(url, extra ?? (body === undefined ? {} : sample(body)))
}

/** The answer to each call, by its name. */
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
let revision = 1_000
/** Changes settings in the database, as another server does for an administrator. */
async function changeSettings(change: object): Promise<void> {
  const { db } = board.database
  const value = JSON.stringify({ change, changedAt: null })
  await db
    .insertInto('settings')
    .values({ key: 'board', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
  revision += 1
  await db
    .insertInto('revisions')
    .values({ name: 'settings', revision })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ revision }))
    .execute()
  await board.deps.revisions.settle()
}

const byAccess = (access: Access): AdminCall[] => calls.filter((call) => call.access === access)

describe('the calls under /api/admin', () => {
  it('are found in the OpenAPI document, including those that clients rely on', () => {
    const names = calls.map(({ name }) => name)
    for (const name of [
      ...['GET /api/admin/dashboard', 'GET /api/admin/users', 'GET /api/admin/threads', 'GET /api/admin/posts'],
      ...['DELETE /api/admin/threads/:id', 'DELETE /api/admin/posts/:id'],
      ...['GET /api/admin/categories', 'POST /api/admin/categories', 'DELETE /api/admin/categories/:id'],
    ]) {
      expect(names).toContain(name)
    }
  })

  it('are all for moderators or administrators', () => {
    expect(calls.filter(({ access }) => access !== 'moderator' && access !== 'admin')).toEqual([])
    expect(byAccess('moderator').length).toBeGreaterThan(5)
    expect(byAccess('admin').length).toBeGreaterThan(5)
  })

  it('answer 401 to a visitor, with and without a visitor cookie', async () => {
    expect(await askAll(visit(board), calls)).toEqual(allAnswer(calls, 401, 'unauthorized'))
    const known = visit(board)
    await known.post(`/api/threads/${scene['thread']}/checkNickname`, { nickname: '影の者' })
    expect(known.cookies.has('visitor')).toBe(true)
    expect(await askAll(known, calls)).toEqual(allAnswer(calls, 401, 'unauthorized'))
  })

  it('answer 403 to a member, and to a moderator or an administrator without a mail address', async () => {
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

  it('answer 403 to a moderator whose categories were all removed', async () => {
    const guest = await signUp(board, undefined, { moderates: [] })
    expect(await askAll(guest, calls)).toEqual(allAnswer(calls, 403, 'forbidden'))
  })

  it('refuse a moderator the calls for administrators', async () => {
    const guest = await signUp(board, undefined, { moderates: 'all' })
    const which = byAccess('admin')
    expect(await askAll(guest, which)).toEqual(allAnswer(which, 403, 'forbidden'))
  })

  it('refuse a moderator of one category the objects of another', async () => {
    const general = await board.database.db
      .selectFrom('categories')
      .select('id')
      .where('name', '=', 'general')
      .executeTakeFirstOrThrow()
    const guest = await signUp(board, undefined, { moderates: [general.id] })
    const which = byAccess('moderator').filter(({ path }) => path.includes('{'))
    expect(which.length).toBeGreaterThan(5)
    expect(await askAll(guest, which)).toEqual(allAnswer(which, 403, 'forbidden'))
    // The message shows that the category is the reason, not the rank.
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
    // Threads, posts, cases, held posts and bans: the lists were not empty.
    expect(seen).toBeGreaterThanOrEqual(5)
  })

  it('refuse an administrator without a required second factor', async () => {
    const chief = await signUp(board, undefined, { isAdmin: true })
    await changeSettings({ requireSecondFactor: true })
    expect(await askAll(chief, calls)).toEqual(allAnswer(calls, 403, 'second_factor_missing'))
    await changeSettings({})
  })
})

/** A request, and its row in the table of permissions. */
interface Ask {
  readonly label: string
  readonly call: AdminCall
  readonly action: Action
  /**
   * The category of its object; null for the whole board, undefined for a list that is narrowed to
   * the moderator's part.
   */
  readonly place: string | null | undefined
}

/** A kind of user. */
interface Kind {
  readonly who: string
  readonly guest: Guest
  readonly actor: Actor | null
}

/** Every call, and variants of some calls with another body. */
function readAsks(): Ask[] {
  const category = scene['category']!
  const asks = calls.map((call): Ask => {
    const { name: label, path } = call
    const isAbout = path.includes('{') || label === 'POST /api/admin/bans/preview'
    return { label, call, action: ACTIONS.get(label)!, place: isAbout ? category : undefined }
  })
  const find = (name: string) => calls.find((call) => call.name === name)!
  const [createBan, changeThread] = [find('POST /api/admin/bans'), find('PUT /api/admin/threads/:id')]
  const terms = { ...(sample(createBan.body!) as object), hours: null }
  const ban = (scope: string): AdminCall => ({ ...createBan, extra: { ...terms, scope } })
  const pin: AdminCall = { ...changeThread, extra: { pinned: 'board' } }
  return [
    // These come before calls that change the role of the banned user.
    { label: 'a ban in the category', call: ban('category'), action: 'ban', place: category },
    { label: 'a ban from the board', call: ban('site'), action: 'banFromBoard', place: null },
    { label: 'a pin on the board', call: pin, action: 'pinToBoard', place: null },
    ...asks.filter(({ call }) => call !== createBan),
  ]
}

/**
 * The refusal that the table demands: first for the rank, then for the category. Null when the call
 * is allowed.
 */
function refusalOf(
  actor: Actor | null,
  { action, place }: Ask,
): [status: number, code: string, message: string] | null {
  const objection = objectionTo(actor, action)
  if (objection !== null) return [objection === 'unauthorized' ? 401 : 403, objection, messages[objection]]
  return place === undefined || may(actor, action, place) ? null : [403, 'forbidden', messages.out_of_scope]
}

async function signUpAs(who: string, account: Partial<Actor>): Promise<Kind> {
  const { isAdmin = false, moderates = null, secondFactorMissing = false } = account
  const guest = await signUp(board, undefined, { isAdmin, moderates })
  return { who, guest, actor: { email: 'any@example.jp', isAdmin, moderates, secondFactorMissing } }
}

async function gatherKinds(): Promise<Kind[]> {
  const category = (name: string) =>
    board.database.db.selectFrom('categories').select('id').where('name', '=', name).executeTakeFirstOrThrow()
  const [here, elsewhere] = [await category('politics'), await category('general')]
  return [
    { who: 'a visitor', guest: visit(board), actor: null },
    await signUpAs('a member', {}),
    await signUpAs('a moderator elsewhere', { moderates: [elsewhere.id] }),
    await signUpAs('a moderator of the category', { moderates: [here.id] }),
    await signUpAs('a moderator of the board', { moderates: 'all' }),
    await signUpAs('an administrator', { isAdmin: true }),
  ]
}

/** The same kind without the second factor that the settings require. */
const withoutSecondFactor = ({ who, guest, actor }: Kind): Kind => ({
  who: `${who}, without a second factor`,
  guest,
  actor: actor && { ...actor, secondFactorMissing: actor.isAdmin || actor.moderates !== null },
})

describe('the table of permissions', () => {
  let kinds: readonly Kind[]
  beforeAll(async () => {
    kinds = await gatherKinds()
  })

  async function forEachKind(run: (kind: Kind) => Promise<void>): Promise<void> {
    for (const kind of kinds) await run(kind)
    await changeSettings({ requireSecondFactor: true, requireModeratorSecondFactor: true })
    for (const kind of kinds) await run(withoutSecondFactor(kind))
    await changeSettings({})
  }

  it('has the action of every call, and the same access as the OpenAPI document', () => {
    const documented = calls.map(({ name, access }) => [name, access])
    expect(calls.map(({ name }) => [name, PERMISSIONS[ACTIONS.get(name)!]?.who])).toEqual(documented)
  })

  it('has no unused action', () => {
    const beside: Action[] = [
      // Actions of calls that are not under /api/admin.
      ...(['keepAccount', 'keepNotebook', 'like', 'setUpSecondFactor', 'writeAsStaff'] as const),
      // Actions that a call evaluates itself: see bans.test.ts.
      ...(['writeFromBannedNetwork', 'writeWhileBanned', 'liftOwnBan', 'seeStaff'] as const),
    ]
    const asked = new Set([...readAsks().map(({ action }) => action), ...beside])
    expect(Object.keys(PERMISSIONS).filter((action) => !asked.has(action as Action))).toEqual([])
  })

  it('determines who is refused each call, with the reason', async () => {
    await forEachKind(async ({ who, guest, actor }) => {
      for (const one of readAsks()) {
        const expected = refusalOf(actor, one)
        if (expected === null) continue
        const { status, body } = await ask(guest, one.call)
        expect([who, one.label, status, body.code, body.message]).toEqual([who, one.label, ...expected])
      }
    })
  })

  it('determines who may post with the staff mark, and who may set up a second factor', async () => {
    await forEachKind(async ({ who, guest, actor }) => {
      const text = { content: '告知です', asStaff: true, ...(actor === null && { name: '影の者' }) }
      const written = await guest.post(`/api/threads/${scene['thread']}/posts`, text)
      expect([who, written.status]).toEqual([who, may(actor, 'writeAsStaff', scene['category']) ? 201 : 403])
      const setUp = await guest.post('/auth/second-factor', { currentPassword: '違う合言葉です' })
      const refused = actor === null ? 401 : 403
      expect([who, setUp.status]).toEqual([who, may(actor, 'setUpSecondFactor') ? 400 : refused])
    })
  })

  it('determines who is allowed each call, which may only fail for other reasons', async () => {
    // Comes last: these calls have effects.
    const scenes: Scene[] = []
    for (const _ of kinds) scenes.push(await setScene(board))
    for (const [index, { who, guest, actor }] of kinds.entries()) {
      scene = scenes[index]!
      for (const one of readAsks().filter((each) => refusalOf(actor, each) === null)) {
        const { status } = await ask(guest, one.call)
        expect([who, one.label, [401, 403, 500].includes(status)]).toEqual([who, one.label, false])
      }
    }
  })
})
