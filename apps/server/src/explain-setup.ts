import { isAbsolute } from 'node:path'
import { ConfigError } from './config.ts'
import { EmbeddedPostgresError } from './db/embedded/embedded-postgres-error.ts'
import { FolderInUseError } from './db/embedded/folder-lock.ts'
import { NewerSchemaError, OlderSchemaError } from './db/migrate.ts'
import { StrandedBoardError } from './db/stranded-board.ts'
import type { ListenError } from './http/server.ts'
import { isDatabaseAway } from './lib/api-error.ts'
import { RedisAwayError } from './redis/redis-away-error.ts'

/** Errors whose message is the one line. */
const ONE_LINE = [
  ConfigError,
  FolderInUseError,
  EmbeddedPostgresError,
  NewerSchemaError,
  OlderSchemaError,
  StrandedBoardError,
  RedisAwayError,
]

/**
 * Explains in one line why settings, port, folder, database or Redis cannot be used; null for any
 * other error.
 */
export function explainSetup(error: unknown): string | null {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (ONE_LINE.some((kind) => error instanceof kind)) return message
  if (isAboutAddress(error as ListenError)) return explainListen(error as ListenError)
  if (isDatabaseAway(error) || /^(28P01|28000|3D000|ERR_SOCKET_BAD_PORT|ERR_INVALID_URL)$/.test(code)) {
    return `Setting DATABASE_URL cannot be used: PostgreSQL did not let us in (${code || message}).`
  }
  if (/^(EACCES|EPERM|EROFS|ENOTDIR|EEXIST|ENOSPC|EISDIR)$/.test(code)) {
    return `Setting DATA_DIR cannot be used: its folder cannot be written (${message}).`
  }
  return null
}

/** The server also listens on a socket in its data folder: an error there is about the folder. */
const isAboutAddress = ({ syscall, address = '' }: ListenError): boolean => syscall === 'listen' && !isAbsolute(address)

function explainListen({ code = '', port, address = '' }: ListenError): string {
  if (code === 'EADDRINUSE') return `Port ${port} is taken by another program. Stop it, or set PORT to another number.`
  if (code === 'EACCES') return 'This port may not be used without more rights. Set PORT to a number above 1023.'
  return `Setting HOST cannot be used: it takes an address of this machine (${code} ${address}).`
}
