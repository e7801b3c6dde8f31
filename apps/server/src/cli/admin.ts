/**
 * `npm run admin`: manages administrators and moderators. Works on the configured database, also
 * while the server runs. Passwords are asked for on the terminal, or read as one line from a pipe;
 * they are never arguments, which every user of the machine could read.
 */
import { email, password, username } from '@shinobi/contract/accounts'
import { PASSWORD, USERNAME } from '@shinobi/contract/limits'
import type { Db } from '../db/client.ts'
import {
  AdminRefusal,
  createAdmin,
  findMember,
  grantRole,
  resetSecondFactor,
  revokeRole,
  setPassword,
} from '../features/accounts/admins.service.ts'
import { selectStaff, type StaffRow } from '../features/accounts/moderators.queries.ts'
import { askPassword, PasswordNotGiven } from './ask-password.ts'
import { BOARD_HELP, BOARD_OPTIONS, configFor, openBoard, type BoardArguments } from './open-board.ts'
import { readArguments, runProgram, UsageError } from './program.ts'

const HELP = `usage: npm run admin -- COMMAND

  create USERNAME EMAIL         opens an account of an administrator; asks for its password
  grant USERNAME                makes a member an administrator
    --moderator                 lets them only moderate it: reports, threads, posts, bans
    --categories NAME[,NAME…]   only these categories (with --moderator)
  revoke USERNAME               takes either away again; the last administrator stays
  list                          shows the administrators, and who moderates what
  reset-password USERNAME       sets a member's password and ends all their sessions
  reset-second-factor USERNAME  turns a lost second factor off
${BOARD_HELP}

The password is asked on the terminal, or read as one line from a pipe:
  printf '%s\\n' "$PASSWORD" | npm run admin -- create kaede kaede@example.jp

Changes of administrators and moderators are written into the log of the board. Works on DATABASE_URL, or without it on the database in DATA_DIR,
also while the server runs.`

interface Options {
  readonly moderator: boolean
  /** Names, as typed. */
  readonly categories: readonly string[] | null
}

interface Command {
  /** Names of its arguments. */
  readonly takes: readonly string[]
  /** Whether it also takes options. */
  readonly hasOptions?: true
  /** @returns what to print */
  run(db: Db, args: readonly string[], options: Options): Promise<string>
}

const COMMANDS: Readonly<Record<string, Command>> = {
  create: {
    takes: ['USERNAME', 'EMAIL'],
    async run(db, [name = '', address = '']) {
      const admin = { username: readName(name), email: readEmail(address), password: await readPassword() }
      await createAdmin(db, admin, Date.now())
      return `${admin.username} is administrator.`
    },
  },
  grant: {
    takes: ['USERNAME'],
    hasOptions: true,
    async run(db, [name = ''], { moderator, categories }) {
      const grant = moderator ? { moderates: categories ?? ('all' as const) } : 'admin'
      await grantRole(db, name, grant, Date.now())
      return moderator ? `${name} moderates ${categories?.join(', ') ?? 'the board'}.` : `${name} is administrator.`
    },
  },
  revoke: {
    takes: ['USERNAME'],
    async run(db, [name = '']) {
      await revokeRole(db, name, Date.now())
      return `${name} neither runs nor moderates the board any more.`
    },
  },
  list: {
    takes: [],
    async run(db) {
      const staff = await selectStaff(db)
      return staff.length === 0 ? 'Nobody is administrator or moderator.' : staff.map(describe).join('\n')
    },
  },
  'reset-password': {
    takes: ['USERNAME'],
    async run(db, [name = '']) {
      // Check before the password is typed.
      await findMember(db, name)
      await setPassword(db, name, await readPassword())
      return `${name} has a new password, and is logged out everywhere.`
    },
  },
  'reset-second-factor': {
    takes: ['USERNAME'],
    async run(db, [name = '']) {
      await resetSecondFactor(db, name, Date.now())
      return `${name} logs in without a second factor, until a new one is set up.`
    },
  },
}

/**
 * One line, for people and for `cut`: name, mail address (marked until it is confirmed), role, and
 * the categories of a moderator of some.
 */
function describe({ name, email: address, isConfirmed, isAdmin, categories }: StaffRow): string {
  const role = isAdmin ? ['administrator'] : ['moderator', ...(categories === null ? [] : [categories.join(', ')])]
  return [name, isConfirmed ? address : `${address} (not confirmed)`, ...role].join('\t')
}

function readName(text: string): string {
  const name = username.safeParse(text)
  if (name.success) return name.data
  throw new AdminRefusal(`A name has ${USERNAME.min} to ${USERNAME.max} characters, none of them @ or invisible.`)
}

function readEmail(text: string): string {
  if (email.safeParse(text).success) return text
  throw new AdminRefusal(`${text} is no mail address.`)
}

async function readPassword(): Promise<string> {
  const text = await askPassword(process.stdin, process.stderr)
  if (password.safeParse(text).success) return text
  throw new AdminRefusal(`A password has ${PASSWORD.min} to ${PASSWORD.max} characters.`)
}

interface Wanted {
  readonly command: Command
  readonly args: readonly string[]
  readonly options: Options
  readonly board: BoardArguments
}

/** The parsed command; null for the help. */
function readCommand(): Wanted | null {
  const { values, positionals } = readArguments({
    allowPositionals: true,
    options: {
      ...BOARD_OPTIONS,
      help: { type: 'boolean', short: 'h' },
      moderator: { type: 'boolean' },
      categories: { type: 'string' },
    },
  })
  if (values.help === true) return null
  const [name, ...args] = positionals
  if (name === undefined) throw new UsageError('A command is missing.')
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (command === undefined) throw new UsageError(`There is no command "${name}".`)
  if (args.length !== command.takes.length) {
    throw new UsageError(`The command takes: ${[name, ...command.takes].join(' ')}.`)
  }
  const { moderator = false } = values
  const categories = values.categories?.split(',').map((one) => one.trim()) ?? null
  if (command.hasOptions !== true && (moderator || categories !== null)) {
    throw new UsageError(`The command ${name} takes no options.`)
  }
  if (categories !== null && !moderator) throw new UsageError('--categories goes with --moderator.')
  if (categories?.includes('') === true) throw new UsageError('--categories takes names, with commas between them.')
  return { command, args, options: { moderator, categories }, board: values }
}

async function run({ command, args, options, board }: Wanted): Promise<string> {
  const database = await openBoard(configFor(board), board, 1)
  try {
    return await command.run(database.db, args, options)
  } finally {
    await database.close()
  }
}

await runProgram({ help: HELP, read: readCommand, run, refusals: [AdminRefusal, PasswordNotGiven] })
