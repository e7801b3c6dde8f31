/**
 * Starts the PostgreSQL programs. They refuse to run as root, so a server that runs as root starts
 * them in a user namespace where root has the id 1000 (the files stay root's), or as an
 * unprivileged system user where namespaces are forbidden.
 */
import { spawn, spawnSync, type ChildProcess, type SpawnSyncReturns } from 'node:child_process'
import { chownSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** Starts PostgreSQL programs as a user that PostgreSQL accepts. */
export interface Launcher {
  /** The user who must own PostgreSQL's files; null where files have no such owner (Windows). */
  readonly uid: number | null
  /** Makes that user the owner of a folder and its contents. */
  own(folder: string): void
  /** Runs a program to its end. */
  run(program: string, args: readonly string[]): SpawnSyncReturns<string>
  /**
   * Starts a server in its own session, because Ctrl-C in the terminal must reach only the board,
   * which stops the database last. When this process dies, however it dies, the server is stopped
   * (`STOP_WITH_PARENT`).
   */
  serve(program: string, args: readonly string[]): ChildProcess
}

const NAMESPACE = ['--user', '--map-user=1000', '--map-group=1000'] as const

/**
 * A shell that runs the server and watches descriptor 3, a pipe whose other end this process holds.
 * The pipe closes when this process closes it or dies; the server then gets SIGINT, a fast
 * shutdown.
 */
const STOP_WITH_PARENT = `
"$@" 3<&- & server=$!
{ cat <&3 >/dev/null; kill -INT "$server"; } 2>/dev/null & watcher=$!
wait "$server"; code=$?
kill "$watcher" 2>/dev/null
exit $code`

/** Index of that pipe among the child's descriptors. */
export const STOP_PIPE = 3

/** C messages, which are parsed; and none of the board's settings and secrets. */
const environment = (): Record<string, string | undefined> => ({ PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' })

/**
 * @param folder the folder of PostgreSQL's files
 * @throws EmbeddedPostgresError when this process is root and neither way works
 */
export function createLauncher(folder: string): Launcher {
  if (process.getuid?.() !== 0) return launcherOf({})
  if (spawnSync('unshare', [...NAMESPACE, 'true'], { stdio: 'ignore' }).status === 0) {
    return launcherOf({ prefix: ['unshare', ...NAMESPACE] })
  }
  return launcherOf({ user: findUnprivilegedUser(folder) })
}

interface Identity {
  readonly uid: number
  readonly gid: number
}

function launcherOf({ prefix = [], user }: { prefix?: readonly string[]; user?: Identity }): Launcher {
  const env = environment()
  const commandOf = (program: string, args: readonly string[]): [string, string[]] => {
    const [first, ...rest] = [...prefix, program, ...args]
    return [first!, rest]
  }
  return {
    uid: user?.uid ?? process.getuid?.() ?? null,
    own(path) {
      if (user !== undefined) chownTree(path, user)
    },
    run(program, args) {
      return spawnSync(...commandOf(program, args), { ...user, env, cwd: '/', encoding: 'utf8' })
    },
    serve(program, args) {
      // Windows has no such shell and no signals: there pg_ctl stops the server.
      if (process.platform === 'win32') {
        return spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
      }
      return spawn('sh', ['-c', STOP_WITH_PARENT, 'sh', ...prefix, program, ...args], {
        ...{ ...user, env, cwd: '/', detached: true },
        stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      })
    },
  }
}

/** Debian's user for PostgreSQL, else one that owns nothing else. */
const USERS = ['postgres', 'nobody'] as const

function findUnprivilegedUser(folder: string): Identity {
  for (const name of USERS) {
    const ids = ['-u', '-g'].map((flag) => spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout?.trim())
    if (!ids.every((id) => id !== undefined && /^\d+$/.test(id))) continue
    const [uid, gid] = ids.map(Number) as [number, number]
    // The programs are in node_modules, the data in DATA_DIR: the user must have access to both.
    const reaches = (path: string) => spawnSync('test', ['-x', path], { uid, gid, stdio: 'ignore' }).status === 0
    if (reaches(folder) && reaches(process.execPath)) return { uid, gid }
  }
  throw new EmbeddedPostgresError(
    'The embedded PostgreSQL cannot run as root here: user namespaces are forbidden, and no unprivileged user reaches ' +
      `${folder}. Run the server as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.`,
  )
}

function chownTree(path: string, { uid, gid }: Identity): void {
  if (!existsSync(path)) return
  chownSync(path, uid, gid)
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    chownSync(join(entry.parentPath, entry.name), uid, gid)
  }
}
