/** `npm run admin` as a process, on a separate database. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  openBoard,
  openTestDatabase,
  PASSWORD,
  signUp,
  visit,
  type Board,
  type TestDatabase,
} from '../testing/board.ts'
import { makeDataFolder } from '../testing/data-folder.ts'

const MAIN = resolve(import.meta.dirname, 'admin.ts')
const NEXT = '新しい合言葉 43'

let dataDir: string
let database: TestDatabase
beforeEach(async () => {
  dataDir = makeDataFolder()
  database = await openTestDatabase()
})
afterEach(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The line that names the board; open-board.test.ts checks it. */
const BOARD_LINE = /^Board: .*\n/

/** Each call starts a process, and some tests make ten. */
const TIMEOUT_MS = 120_000

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

async function admin(args: readonly string[], input = ''): Promise<Outcome> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
  }
  const child = spawn(process.execPath, [MAIN, ...args], { env, cwd: dataDir, stdio: ['pipe', 'pipe', 'pipe'] })
  const outcome = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (outcome.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (outcome.err += chunk.toString()))
  // A program that fails early does not read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...outcome, err: outcome.err.replace(BOARD_LINE, '') }
}

/** Opens a board on the same database. */
async function onBoard(work: (board: Board) => Promise<void>): Promise<void> {
  const board = await openBoard({}, database)
  try {
    await work(board)
  } finally {
    await board.close()
  }
}

const logIn = async (board: Board, username: string, password: string) => {
  const { status, body } = await visit(board).post<{ isAdmin?: boolean }>('/auth/login', { username, password })
  return { status, isAdmin: body.isAdmin }
}

const done = (out: string): Outcome => ({ code: 0, out: `${out}\n`, err: '' })
const refused = (err: string): Outcome => ({ code: 1, out: '', err: `${err}\n` })

describe('npm run admin', () => {
  it('creates the first administrator, who may have a staff name and a confirmed address', async () => {
    expect(await admin(['list'])).toEqual(done('Nobody is administrator or moderator.'))
    const created = await admin(['create', '管理人', 'kanri@example.jp'], `${PASSWORD}\n`)
    expect(created).toEqual(done('管理人 is administrator.'))
    expect(await admin(['list'])).toEqual(done('管理人\tkanri@example.jp\tadministrator'))
    await onBoard(async (board) => {
      expect(await logIn(board, '管理人', PASSWORD)).toEqual({ status: 200, isAdmin: true })
      const users = await board.database.db.selectFrom('users').select('emailVerifiedAt').execute()
      expect(users).toEqual([{ emailVerifiedAt: expect.any(Date) }])
    })
    expect(await admin(['revoke', '管理人'])).toEqual(
      refused('管理人 is the last administrator. Make another one first.'),
    )
    expect(await admin(['create', '管 理人', 'other@example.jp'], PASSWORD)).toEqual(
      refused('Another member has the name 管 理人 or the mail address other@example.jp.'),
    )
  })

  it('makes members administrators, revokes it, and sets new passwords, which end their sessions', async () => {
    await admin(['create', '管理人', 'kanri@example.jp'], PASSWORD)
    await onBoard(async (board) => void (await signUp(board, '楓の葉')))
    expect(await admin(['revoke', '楓の葉'])).toEqual(refused('楓の葉 neither runs nor moderates the board.'))
    expect((await admin(['grant', '楓の葉'])).code).toBe(0)
    expect((await admin(['revoke', '管理人'])).code).toBe(0)
    expect(await admin(['reset-password', '楓の葉'], `${NEXT}\nmore\n`)).toEqual(
      done('楓の葉 has a new password, and is logged out everywhere.'),
    )
    await onBoard(async (board) => {
      expect(await board.database.db.selectFrom('sessions').select('id').execute()).toEqual([])
      expect(await logIn(board, '楓の葉', PASSWORD)).toMatchObject({ status: 401 })
      expect(await logIn(board, '楓の葉', NEXT)).toEqual({ status: 200, isAdmin: true })
      expect(await logIn(board, '管理人', PASSWORD)).toEqual({ status: 200, isAdmin: false })
    })
  })

  it('makes members moderators of the board or of some categories, lists them, and writes it to the log', async () => {
    await admin(['create', '管理人', 'kanri@example.jp'], PASSWORD)
    const ids: string[] = []
    await onBoard(async (board) => {
      for (const name of ['楓の葉', '椿の花']) ids.push((await signUp(board, name)).userId)
    })
    const [kaede, tsubaki] = ids
    expect(await admin(['grant', '楓の葉', '--moderator'])).toEqual(done('楓の葉 moderates the board.'))
    expect(await admin(['grant', '椿の花', '--moderator', '--categories', 'world, general'])).toEqual(
      done('椿の花 moderates world, general.'),
    )
    expect(await admin(['list'])).toEqual(
      done(
        [
          '管理人\tkanri@example.jp\tadministrator',
          `楓の葉\t${kaede}@example.jp\tmoderator`,
          `椿の花\t${tsubaki}@example.jp\tmoderator\tworld, general`,
        ].join('\n'),
      ),
    )
    expect(await admin(['revoke', '楓の葉'])).toEqual(done('楓の葉 neither runs nor moderates the board any more.'))
    expect((await admin(['list'])).out).not.toContain('楓の葉')
    expect(await admin(['grant', '楓の葉', '--moderator', '--categories', 'manga'])).toEqual(
      refused('There is no category "manga".'),
    )
    await onBoard(async (board) => {
      const rows = await board.database.db
        .selectFrom('auditLog')
        .select(['actorId', 'action', 'subject', 'details'])
        .orderBy('id')
        .execute()
      const role = (name: string, categoryIds: string[] | null = null) => ({ role: name, categoryIds })
      expect(rows.map(({ actorId, action }) => [actorId, action])).toEqual(rows.map(() => [null, 'role_change']))
      expect(rows.map(({ subject, details }) => [subject, details['before'], details['after']])).toEqual([
        ['管理人', null, role('admin')],
        ['楓の葉', role('member'), role('moderator')],
        ['椿の花', role('member'), role('moderator', expect.any(Array) as unknown as string[])],
        ['楓の葉', role('moderator'), role('member')],
      ])
    })
  })

  it('turns off a lost second factor', async () => {
    await admin(['create', '管理人', 'kanri@example.jp'], PASSWORD)
    expect(await admin(['reset-second-factor', '管理人'])).toEqual(refused('管理人 has no second factor.'))
    await onBoard(async (board) => {
      const { db } = board.database
      const user = await db.selectFrom('users').select('id').executeTakeFirstOrThrow()
      const at = new Date()
      await db
        .insertInto('secondFactors')
        .values({ userId: user.id, sealedSecret: '', createdAt: at, confirmedAt: at })
        .execute()
      expect(await logIn(board, '管理人', PASSWORD)).toMatchObject({ status: 403 })
    })
    expect(await admin(['reset-second-factor', '管理人'])).toEqual(
      done('管理人 logs in without a second factor, until a new one is set up.'),
    )
    await onBoard(async (board) => {
      expect(await logIn(board, '管理人', PASSWORD)).toEqual({ status: 200, isAdmin: true })
      const entry = await board.database.db
        .selectFrom('auditLog')
        .select(['actorName', 'action', 'subject'])
        .orderBy('id', 'desc')
        .executeTakeFirst()
      expect(entry).toEqual({ actorName: null, action: 'second_factor_reset', subject: '管理人' })
    })
  })

  it(
    'reports a refusal in one line',
    async () => {
      const create = ['create', '楓の葉', 'kaede@example.jp']
      expect(await admin(['create', '楓', 'kaede@example.jp'], PASSWORD)).toEqual(
        refused('A name has 3 to 20 characters, none of them @ or invisible.'),
      )
      expect(await admin(['create', '楓の葉', 'kaede'], PASSWORD)).toEqual(refused('kaede is no mail address.'))
      expect(await admin(create, '短い\n')).toEqual(refused('A password has 8 to 128 characters.'))
      expect(await admin(create, 'password1\n')).toEqual(refused('This password is guessed first.'))
      expect(await admin(create)).toEqual(refused('No password was given.'))
      expect(await admin(['grant', '誰か'])).toEqual(refused('Nobody has the name 誰か.'))
      for (const command of ['revoke', 'reset-password', 'reset-second-factor']) {
        expect(await admin([command, '誰か'], PASSWORD)).toEqual(refused('Nobody has the name 誰か.'))
      }
    },
    TIMEOUT_MS,
  )

  it.each([
    [[], 'A command is missing.'],
    [['promote', '楓'], 'There is no command "promote".'],
    [['toString'], 'There is no command "toString".'],
    [['grant'], 'The command takes: grant USERNAME.'],
    [['create', '楓の葉', 'kaede@example.jp', PASSWORD], 'The command takes: create USERNAME EMAIL.'],
    [['grant', '楓の葉', '--categories', 'world'], '--categories goes with --moderator.'],
    [
      ['grant', '楓の葉', '--moderator', '--categories', 'world,'],
      '--categories takes names, with commas between them.',
    ],
    [['revoke', '楓の葉', '--moderator'], 'The command revoke takes no options.'],
    [['list', '--all'], "Unknown option '--all'"],
  ])('shows its help when called with %j', async (args, line) => {
    const { code, out, err } = await admin(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(line)
    expect(err).toContain('usage: npm run admin -- COMMAND')
  })

  it('shows its help on request', async () => {
    const { code, out, err } = await admin(['create', '--help'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('usage: npm run admin -- COMMAND')
  })

  it('works while the server runs, and takes effect at once in open sessions', async () => {
    await onBoard(async (board) => {
      const kaede = await signUp(board, '楓の葉')
      expect(await admin(['grant', '楓の葉'])).toEqual(done('楓の葉 is administrator.'))
      expect((await kaede.post('/auth/verify')).body).toMatchObject({ user: { isAdmin: true } })
    })
  })
})
